// What a file is by its first bytes, whatever a site calls it. What is not named here is not decoded.

const magics = ['89504e470d0a1a0a', 'ffd8ff', '474946383761', '474946383961'];

/** PNG, JPEG, GIF or WebP. */
export const isPicture = (bytes: Buffer): boolean =>
  magics.some((magic) => bytes.toString('hex', 0, magic.length / 2) === magic) ||
  (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP');

export const isIco = (bytes: Buffer): boolean =>
  bytes.length > 6 && bytes.readUInt32LE(0) === 0x00010000 && bytes.readUInt16LE(4) > 0;
