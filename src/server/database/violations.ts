const codes = {
  unique: '23505',
  'foreign key': '23503',
  'row level security': '42501',
  check: '23514',
  exclusion: '23P01',
} as const

/** Whether the database rejected a statement because of this kind of constraint. */
export function isViolation(error: unknown, kind: keyof typeof codes): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === codes[kind]
}

/** The name of the unique constraint that a statement violated. Null for any other error. */
export function brokenKey(error: unknown): string | null {
  if (!isViolation(error, 'unique') || typeof error !== 'object' || error === null) return null
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : ''
}
