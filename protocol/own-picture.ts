// The address of an own picture: of a person, a bot or a server, kept and served by Hearth itself.

/** Matches such an address at any host, of any size, and captures the name of the picture. */
export const ownPicture = /^[^/]+\/\/[^/]+\/avatars\/(\w{32})(?:-\d+)?\.webp$/;
