/** Whether this browser can compute a SHA-256. On a page without HTTPS it can't. */
export const canHash = (): boolean => globalThis.crypto?.subtle !== undefined

/** The SHA-256 of a file, as lower-case hexadecimal digits. */
export async function hashFile(file: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
