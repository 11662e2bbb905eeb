import { FUNCTION_GROUPS } from '#contract/permission-groups.ts'
import { FUNCTION_TITLES } from '#contract/permission-text.ts'
import { capitalize } from '#contract/capitalize.ts'
import {
  type FunctionName,
  Func,
  holds,
  isPlatformOnly,
  Opr,
  type OprNumber,
  type Permission,
  type Permissions,
} from '#contract/permissions.ts'

/** Granted cells, as keys from `cellOf`. */
export type Cells = ReadonlySet<string>

/** The data from which all marks of a matrix are derived. */
export type Matrix = Readonly<{
  /**
   * What the user's user type grants. Empty for a user type, because user types don't inherit permissions.
   */
  inherited: Cells
  /** What "differences only" compares with; null if there is nothing to compare. */
  compared: Cells | null
  saved: Cells
  wanted: Cells
  /** The caller's own permissions. Callers can't grant or remove any others. */
  held: Permissions
  /** The caller is platform staff working in a customer, where platform permissions can't be granted. */
  isOtherCustomer: boolean
}>

export type Row = Readonly<{ func: number; title: string; operations: readonly OprNumber[] }>
export type Group = Readonly<{ title: string; rows: readonly Row[] }>

/** The origin of a cell's state: `inherited` and `set` are granted, `denied` and `none` aren't. */
export type Origin = 'inherited' | 'set' | 'denied' | 'none'

/** The eight columns, ordered by number: `{ opr: 3, title: 'Create' }`. */
export const OPERATIONS = Object.entries(Opr).map(([name, opr]) => ({
  opr,
  title: capitalize(name),
}))

const toRow = (name: FunctionName): Row => ({ ...Func[name], title: FUNCTION_TITLES[name] })
const GROUPS: readonly Group[] = FUNCTION_GROUPS.map(({ title, names }) => ({
  title,
  rows: names.map(toRow),
}))

/** All declared permissions in matrix order, in which they are also sent. */
export const DECLARED: readonly Permission[] = GROUPS.flatMap(({ rows }) => rows.flatMap(permissionsOf))

export function cellOf({ func, opr }: Permission): string {
  return `${func}/${opr}`
}

export function toCells(permissions: readonly Permission[]): Cells {
  return new Set(permissions.map(cellOf))
}

/** Input for the contract, in matrix order. */
export function toPermissions(cells: Cells): Permission[] {
  return DECLARED.filter((permission) => cells.has(cellOf(permission)))
}

export function permissionsOf({ func, operations }: Row): Permission[] {
  return operations.map((opr) => ({ func, opr }))
}

export function originOf({ inherited, wanted }: Matrix, permission: Permission): Origin {
  const cell = cellOf(permission)
  if (wanted.has(cell)) return inherited.has(cell) ? 'inherited' : 'set'
  return inherited.has(cell) ? 'denied' : 'none'
}

/** A string of everything a row's cells show; rows with equal strings render the same. */
export function stateOf({ inherited, compared, saved, wanted }: Matrix, row: Row): string {
  const sets = [inherited, compared, saved, wanted]
  return permissionsOf(row)
    .map((one) => sets.map((cells) => (cells?.has(cellOf(one)) ? 1 : 0)).join(''))
    .join(' ')
    .concat(compared === null ? '' : ' compared')
}

/** Callers can't grant or remove permissions they don't have. */
export function isLocked({ held }: Matrix, permission: Permission): boolean {
  return !holds(held, permission)
}

export function isChanged({ saved, wanted }: Matrix, permission: Permission): boolean {
  const cell = cellOf(permission)
  return saved.has(cell) !== wanted.has(cell)
}

/** Whether a cell differs from the compared set, in the saved or the unsaved state. */
export function isDifferent({ compared, saved, wanted }: Matrix, permission: Permission): boolean {
  if (compared === null) return false
  const cell = cellOf(permission)
  return wanted.has(cell) !== compared.has(cell) || saved.has(cell) !== compared.has(cell)
}

/** The wanted set with one cell toggled. Locked cells don't change. */
export function toggle(matrix: Matrix, permission: Permission): Cells {
  if (isLocked(matrix, permission)) return matrix.wanted
  const wanted = new Set(matrix.wanted)
  if (!wanted.delete(cellOf(permission))) wanted.add(cellOf(permission))
  return wanted
}

export type Change = Readonly<{ permission: Permission; isGranted: boolean }>

/** The changes that saving will make, in matrix order. */
export function findChanges(matrix: Pick<Matrix, 'saved' | 'wanted'>): Change[] {
  const { saved, wanted } = matrix
  return DECLARED.filter(
    (permission) => saved.has(cellOf(permission)) !== wanted.has(cellOf(permission)),
  ).map((permission) => ({ permission, isGranted: wanted.has(cellOf(permission)) }))
}

/** The permission with function and operation "8 3"; null if there is none. */
export function findOperation(spot: string): Permission | null {
  const [func, opr] = spot.split(' ').map(Number)
  return DECLARED.find((one) => one.func === func && one.opr === opr) ?? null
}

/** "Lots, create". */
export function nameOf({ func, opr }: Permission): string {
  const title = GROUPS.flatMap(({ rows }) => rows).find((row) => row.func === func)?.title ?? ''
  return `${title}, ${operationOf(opr)}`
}

function operationOf(opr: number): string {
  return OPERATIONS.find((operation) => operation.opr === opr)?.title.toLowerCase() ?? ''
}

/** "+ Lead routing update, \u2212 Vehicle cost read, and 3 more". */
export function sumUpChanges(changes: readonly Change[], most = 5): string {
  const named = changes
    .slice(0, most)
    .map(
      ({ permission, isGranted }) => `${isGranted ? '+' : '\u2212'} ${nameOf(permission).replace(', ', ' ')}`,
    )
  const more = changes.length - named.length
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

type Filter = { search: string; onlyDifferences: boolean }

/** The rows to show. Platform-only functions are left out if neither side has any of their permissions. */
export function findGroups(matrix: Matrix, { search, onlyDifferences }: Filter): Group[] {
  const wantedText = search.trim().toLowerCase()
  const isFound = ({ func, title }: Row) =>
    wantedText === '' || title.toLowerCase().includes(wantedText) || String(func) === wantedText
  const isShown = (row: Row) => !onlyDifferences || permissionsOf(row).some((one) => isDifferent(matrix, one))
  return GROUPS.map(({ title, rows }) => ({
    title,
    rows: rows.filter((row) => isFound(row) && isShown(row) && isRelevant(matrix, row)),
  })).filter(({ rows }) => rows.length > 0)
}

function isRelevant({ held, saved, inherited, isOtherCustomer }: Matrix, row: Row): boolean {
  return (
    !isPlatformOnly(row.func) ||
    permissionsOf(row).some(
      (one) => (!isOtherCustomer && holds(held, one)) || saved.has(cellOf(one)) || inherited.has(cellOf(one)),
    )
  )
}
