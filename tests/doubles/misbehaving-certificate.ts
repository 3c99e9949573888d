// Key and self-signed certificate for the double of misbehaving hosts: not used anywhere else.

/** `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500`, for *.misbehaving.example. */
export const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgm6161TQQLsEWCcJX
Vh56bL8VZjBwcElkdm1hQJd5E/ehRANCAAQeoJ4YOr66u5dmSsW3IWTXtVTtahEA
9ny/KaXCA4zD7bvd+Onq1nMlIXl/u/jZm9WBBgAzPT/NC9Red4ZfcbLY
-----END PRIVATE KEY-----
`;

export const certificate = `-----BEGIN CERTIFICATE-----
MIIBxjCCAW2gAwIBAgIUEWOEfSnulTDm8Ihwun2lPxZgX3gwCgYIKoZIzj0EAwIw
JzElMCMGA1UEAwwcSGVhcnRoIHRlc3QgbWlzYmVoYXZpbmcgaG9zdDAgFw0yNjEx
MjYxNDE4MzJaGA8yMTI2MTEwMjE0MTgzMlowJzElMCMGA1UEAwwcSGVhcnRoIHRl
c3QgbWlzYmVoYXZpbmcgaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABB6g
nhg6vrq7l2ZKxbchZNe1VO1qEQD2fL8ppcIDjMPtu9346erWcyUheX+7+Nmb1YEG
ADM9P80L1F53hl9xstijdTBzMB0GA1UdDgQWBBSxQjqETkD8kHS9GGbTjvFtEM0m
uDAfBgNVHSMEGDAWgBSxQjqETkD8kHS9GGbTjvFtEM0muDAPBgNVHRMBAf8EBTAD
AQH/MCAGA1UdEQQZMBeCFSoubWlzYmVoYXZpbmcuZXhhbXBsZTAKBggqhkjOPQQD
AgNHADBEAiA08wLEy3j4W1DZCNJOc5rqaP/kjAHL3hcIVlEpdZYzuwIgZtEUbNEP
6DM75Ct+Mx4+3Q1+2vI+ZV7X3xvPaRC3GMI=
-----END CERTIFICATE-----
`;
