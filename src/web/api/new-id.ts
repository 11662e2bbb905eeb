/** 128 random bits. Also without HTTPS, where `crypto.randomUUID` doesn't exist. */
export const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
