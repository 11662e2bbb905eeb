/** The code of an error of the system or the database (`ENOENT`, `53100`); empty where it has none. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}
