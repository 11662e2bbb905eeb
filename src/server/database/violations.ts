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

const TEXTS = {
  missing: "This doesn't exist, or belongs to someone else.",
  used: 'This is still used elsewhere. Remove it there first.',
  taken: 'This already exists. Choose another one.',
  check: "Some values don't fit together, or are outside of what is allowed. Check them and try again.",
} as const

/** Whether something was to be added to an organization that is archived. */
export const isArchivedOrganization = (error: unknown): boolean =>
  isViolation(error, 'check') && textOf(error, 'constraint') === 'archived_organization'

/** What a violated constraint says about a request. `field`: of the payload, if it is known. */
export type Violation = Readonly<{ status: 400 | 409; sentence: string; field: string | null }>

/**
 * Explains a violated constraint by its kind, for those that no handler explains. Null for any other error: a missing value and a
 * violated row level security are bugs.
 */
export function explainViolation(error: unknown): Violation | null {
  if (isViolation(error, 'foreign key')) {
    const detail = textOf(error, 'detail')
    if (detail.includes(' is still referenced from '))
      return { status: 409, sentence: TEXTS.used, field: null }
    return { status: 400, sentence: TEXTS.missing, field: fieldOf(detail) }
  }
  if (isViolation(error, 'check')) return { status: 400, sentence: TEXTS.check, field: null }
  const isTaken = isViolation(error, 'unique') || isViolation(error, 'exclusion')
  return isTaken ? { status: 409, sentence: TEXTS.taken, field: null } : null
}

/** The last column of `Key (customer_id, user_id)=(2, 1) is not present in table "users".`, which is that of the record. */
function fieldOf(detail: string): string | null {
  const [, columns = ''] = /^Key \(([\w, ]+)\)=/.exec(detail) ?? []
  const column = columns.split(', ').at(-1) ?? ''
  return column === '' ? null : column.replaceAll(/_(\w)/g, (_all, letter: string) => letter.toUpperCase())
}

function textOf(error: unknown, name: string): string {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : ''
  return typeof value === 'string' ? value : ''
}
