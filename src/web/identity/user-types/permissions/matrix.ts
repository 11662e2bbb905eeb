import {
  type FunctionName,
  Func,
  FUNCTION_GROUPS,
  holds,
  isPlatformOnly,
  Opr,
  type OprNumber,
  type Permission,
  type Permissions,
} from '#contract/permissions.ts'

/** Granted cells, each by `cellOf`. */
export type Cells = ReadonlySet<string>

/** Everything the marks of a matrix are worked out from. */
export type Matrix = Readonly<{
  /** What a person's user type grants. Empty for a user type: nothing flows down the tree by itself. */
  inherited: Cells
  /** What "only differences" compares with; null where there is nothing to compare with. */
  compared: Cells | null
  saved: Cells
  wanted: Cells
  /** What the caller holds: the ceiling. */
  held: Permissions
  /** The caller is the platform's staff in a customer, where nobody can be granted what is the platform's. */
  isOtherCustomer: boolean
}>

export type Row = Readonly<{ func: number; title: string; operations: readonly OprNumber[] }>
export type Group = Readonly<{ title: string; rows: readonly Row[] }>

/** Where a cell's state comes from: `inherited` and `set` are granted, `denied` and `none` are not. */
export type Origin = 'inherited' | 'set' | 'denied' | 'none'

/** The eight columns, in the order of their numbers: `{ opr: 3, title: 'Create' }`. */
export const OPERATIONS = Object.entries(Opr).map(([name, opr]) => ({
  opr,
  title: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
}))

const toRow = (name: FunctionName): Row => Func[name]
const GROUPS: readonly Group[] = FUNCTION_GROUPS.map(({ title, names }) => ({
  title,
  rows: names.map(toRow),
}))

/** Every declared permission in the order of the matrix: what is sent is sorted by it, too. */
export const DECLARED: readonly Permission[] = GROUPS.flatMap(({ rows }) => rows.flatMap(permissionsOf))

export function cellOf({ func, opr }: Permission): string {
  return `${func}/${opr}`
}

export function toCells(permissions: readonly Permission[]): Cells {
  return new Set(permissions.map(cellOf))
}

/** As the contract takes it, in the order of the matrix. */
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

/** Everything a row's cells show of the four sets, as text: two rows of the same state look the same. */
export function stateOf({ inherited, compared, saved, wanted }: Matrix, row: Row): string {
  const sets = [inherited, compared, saved, wanted]
  return permissionsOf(row)
    .map((one) => sets.map((cells) => (cells?.has(cellOf(one)) ? 1 : 0)).join(''))
    .join(' ')
    .concat(compared === null ? '' : ' compared')
}

/** Above the ceiling: nobody grants, or takes, what they do not hold themselves. */
export function isLocked({ held }: Matrix, permission: Permission): boolean {
  return !holds(held, permission)
}

export function isChanged({ saved, wanted }: Matrix, permission: Permission): boolean {
  const cell = cellOf(permission)
  return saved.has(cell) !== wanted.has(cell)
}

/** Whether a cell differs from what it is compared with, now or before the changes that are not saved. */
export function isDifferent({ compared, saved, wanted }: Matrix, permission: Permission): boolean {
  if (compared === null) return false
  const cell = cellOf(permission)
  return wanted.has(cell) !== compared.has(cell) || saved.has(cell) !== compared.has(cell)
}

/** The wanted set with one cell turned; a locked one stays. */
export function toggle(matrix: Matrix, permission: Permission): Cells {
  if (isLocked(matrix, permission)) return matrix.wanted
  const wanted = new Set(matrix.wanted)
  if (!wanted.delete(cellOf(permission))) wanted.add(cellOf(permission))
  return wanted
}

export type Change = Readonly<{ permission: Permission; isGranted: boolean }>

/** What saving will change, in the order of the matrix. */
export function findChanges(matrix: Pick<Matrix, 'saved' | 'wanted'>): Change[] {
  const { saved, wanted } = matrix
  return DECLARED.filter(
    (permission) => saved.has(cellOf(permission)) !== wanted.has(cellOf(permission)),
  ).map((permission) => ({ permission, isGranted: wanted.has(cellOf(permission)) }))
}

/** The permission named by "8 3", function and operation; null for what is none. */
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

/** The rows to show. What only the platform may hold is left out where neither side has anything of it. */
export function findGroups(matrix: Matrix, { search, onlyDifferences }: Filter): Group[] {
  const wantedText = search.trim().toLowerCase()
  const isFound = ({ func, title }: Row) =>
    wantedText === '' || title.toLowerCase().includes(wantedText) || String(func) === wantedText
  const isShown = (row: Row) => !onlyDifferences || permissionsOf(row).some((one) => isDifferent(matrix, one))
  return GROUPS.map(({ title, rows }) => ({
    title,
    rows: rows.filter((row) => isFound(row) && isShown(row) && isOfConcern(matrix, row)),
  })).filter(({ rows }) => rows.length > 0)
}

function isOfConcern({ held, saved, inherited, isOtherCustomer }: Matrix, row: Row): boolean {
  return (
    !isPlatformOnly(row.func) ||
    permissionsOf(row).some(
      (one) => (!isOtherCustomer && holds(held, one)) || saved.has(cellOf(one)) || inherited.has(cellOf(one)),
    )
  )
}
