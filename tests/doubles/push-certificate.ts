// Key and self-signed certificate for the double of a push service: not used anywhere else.

/** `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500`, for push.example and rebound.example. */
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsnnA17/y81sZTwQe
/VYNUxi1v/3o0XPDZP+zD5N+5pWhRANCAAScE4dhHtmgjmYX3yD03/TqQH4pOR2E
UdnGavJOM5pi8hk7m/k9aN/x567wB3dMhwUUB6uNtzBDJmHCTn7cP46W
-----END PRIVATE KEY-----
`;

export const certificate = `-----BEGIN CERTIFICATE-----
MIIByDCCAW2gAwIBAgIULQs8JUEnaN4Cs1SK6aomXpyNwX4wCgYIKoZIzj0EAwIw
IzEhMB8GA1UEAwwYSGVhcnRoIHRlc3QgcHVzaCBzZXJ2aWNlMCAXDTI2MTEyMTE0
MTcwMloYDzIxMjYxMDI4MTQxNzAyWjAjMSEwHwYDVQQDDBhIZWFydGggdGVzdCBw
dXNoIHNlcnZpY2UwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAScE4dhHtmgjmYX
3yD03/TqQH4pOR2EUdnGavJOM5pi8hk7m/k9aN/x567wB3dMhwUUB6uNtzBDJmHC
Tn7cP46Wo30wezAdBgNVHQ4EFgQUKYuG/DzZvow1wPD6STjm6TJPFCswHwYDVR0j
BBgwFoAUKYuG/DzZvow1wPD6STjm6TJPFCswKAYDVR0RBCEwH4IMcHVzaC5leGFt
cGxlgg9yZWJvdW5kLmV4YW1wbGUwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQD
AgNJADBGAiEA8Z0VGpXDRs+JYkcOL5OSeVh83OEM9e53Wcap2FdxrxECIQC6lVMy
mMOJYF53OBS+u9rWYzydffRZYoT2S9xiTdLvsw==
-----END CERTIFICATE-----
`;
