import { isEmail } from '#contract/contact.ts'
import { isPlaceholderEmail, isPlaceholderName } from '#contract/leads/people/placeholders.ts'
import { type ListProblem, MAX_LIST_ROWS } from '#contract/marketing/campaigns/imported-lists.ts'
import { dateOrderOf } from '#contract/parsing/date-order.ts'
import { localeFormat } from '#contract/parsing/locale-format.ts'
import { parseDate } from '#contract/parsing/parse-date.ts'
import { wrongFile } from '#server/spreadsheets/read-spreadsheet.ts'
import type { Sheet } from '#server/spreadsheets/sheet.ts'

/** A person of a list. `source` and `on`: the proof of consent, both or none. */
export type ListRow = Readonly<{
  row: number
  email: string
  name: string | null
  firstName: string | null
  lastName: string | null
  source: string | null
  on: string | null
}>

export type ListRows = Readonly<{
  rows: readonly ListRow[]
  total: number
  invalid: number
  duplicates: number
  problems: readonly ListProblem[]
}>

const COLUMNS = {
  email: ['email', 'emailaddress', 'mail', 'mailaddress', 'emailid', 'primaryemail'],
  firstName: ['firstname', 'first', 'fname', 'givenname', 'forename'],
  lastName: ['lastname', 'last', 'lname', 'surname', 'familyname'],
  name: ['name', 'fullname', 'customername', 'contactname', 'buyer', 'customer'],
  source: ['consentsource', 'source', 'optinsource', 'signupsource', 'sourceofconsent', 'consent'],
  on: [
    'consentdate',
    'date',
    'optindate',
    'optintime',
    'dateofconsent',
    'signupdate',
    'consentedon',
    'subscribedon',
  ],
} as const
type Column = keyof typeof COLUMNS
/** In the column of consent: who may have said no is left out. */
const NO =
  /^(?:n|f|0)$|(?<!\p{L})(?:no|none|not|never|false|nein|non|nie|kein\p{L}*|nicht|ningun\p{L}*|pas|aucun\p{L}*|cannot|don['’]?t|doesn['’]?t|didn['’]?t|dnc|dne|declin\p{L}*|refus\p{L}*|reject\p{L}*|den(?:y|ied)|revok\p{L}*|withdr\p{L}*|unsubscrib\p{L}*|remov\p{L}*|opt(?:s|ed)?[ -]?outs?|stop(?:ped)?)(?!\p{L})/iu
const NO_SOURCE = /^(?:unknown|n\/?a|tbd|pending|unclear|\W+)$/i
const NAMES: readonly Column[] = ['email', 'firstName', 'lastName', 'name', 'source', 'on']
/** Lines in which the header is looked for. */
const HEAD_LINES = 10
const MAX_TEXT = 200

/**
 * The people in a file, each address once. What is wrong is named with its row, without the text of the row.
 * @throws Failure 400 without a column of addresses, with too many rows, or if dates could be read in two ways
 */
export function readListRows(
  sheet: Pick<Sheet, 'lines' | 'isCut'>,
  { dateOrder, today }: { dateOrder: 'mdy' | 'dmy' | undefined; today: string },
): ListRows {
  const { columns, at, unused } = findHeader(sheet.lines)
  const body = sheet.lines.slice(at + 1)
  if (sheet.isCut === true || body.length > MAX_LIST_ROWS)
    throw wrongFile(`The list has more than ${MAX_LIST_ROWS.toLocaleString('en-US')} rows. Split the file.`)
  const cell = (line: readonly string[], column: Column): string => {
    const place = columns.get(column)
    return place === undefined ? '' : (line[place] ?? '').trim().slice(0, MAX_TEXT)
  }
  const order = orderOf(
    body.map((line) => cell(line, 'on')),
    dateOrder,
  )
  const problems: ListProblem[] = unused.map((name) => ({ row: 0, text: `The column “${name}” isn't used.` }))
  const [rows, seen] = [new Map<string, ListRow>(), new Map<string, number>()]
  let [total, invalid, duplicates] = [0, 0, 0]
  for (const [place, line] of body.entries()) {
    const row = at + place + 2
    if (line.every((text) => text.trim() === '')) continue
    total += 1
    const email = cell(line, 'email')
    const wrong =
      emailProblem(email) ?? (NO.test(cell(line, 'source')) ? 'Says no to emails: left out.' : null)
    if (wrong !== null) {
      invalid += 1
      problems.push({ row, text: wrong })
      continue
    }
    const key = email.toLowerCase()
    const first = seen.get(key)
    if (first !== undefined) {
      duplicates += 1
      problems.push({ row, text: `Has the same address as row ${first}.` })
    }
    const proof = proofOf({ source: cell(line, 'source'), on: cell(line, 'on') }, { order, today })
    if (proof.problem !== null) problems.push({ row, text: proof.problem })
    seen.set(key, first ?? row)
    const before = rows.get(key)
    // A later row may have the proof that the first one lacks.
    if (before === undefined)
      rows.set(key, { row, email, ...namesIn((column) => cell(line, column)), ...proof.proof })
    else if (before.on === null && proof.proof.on !== null) rows.set(key, { ...before, ...proof.proof })
  }
  if (rows.size === 0) throw wrongFile('No row of this file has an email address that can be used.')
  return { rows: [...rows.values()], total, invalid, duplicates, problems }
}

const wordOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '')

function findHeader(lines: Sheet['lines']): { columns: Map<Column, number>; at: number; unused: string[] } {
  for (const [at, line] of lines.slice(0, HEAD_LINES).entries()) {
    const words = line.map(wordOf)
    const columns = new Map<Column, number>()
    for (const name of NAMES) {
      const accepted: readonly string[] = COLUMNS[name]
      // The first of the words that a column has: “Consent date” goes before “Date”.
      const place = accepted.map((word) => words.indexOf(word)).find((one) => one >= 0)
      if (place !== undefined) columns.set(name, place)
    }
    if (!columns.has('email')) continue
    const used = new Set(columns.values())
    const unused = line.flatMap((text, place) =>
      used.has(place) || text.trim() === '' ? [] : text.trim().slice(0, 60),
    )
    return { columns, at, unused }
  }
  throw wrongFile(
    'No column is named “Email”. Name the columns in the first line: Email, First name, Last name, Consent source, Consent date.',
  )
}

function orderOf(texts: readonly string[], chosen: 'mdy' | 'dmy' | undefined): 'mdy' | 'dmy' {
  const { order, ambiguous } = dateOrderOf(texts)
  if (order !== null) return order
  if (chosen !== undefined) return chosen
  if (ambiguous === null) return 'mdy'
  const sentence = `“${ambiguous}” in the column of consent dates can be read in two ways. Choose how this file writes dates.`
  throw wrongFile(sentence)
}

function emailProblem(email: string): string | null {
  if (email === '') return 'Has no email address.'
  if (!isEmail(email)) return "The email address isn't valid."
  return isPlaceholderEmail(email) ? "The email address isn't a real one." : null
}

type Proof = Readonly<{ source: string | null; on: string | null }>

function proofOf(
  { source, on }: { source: string; on: string },
  { order, today }: { order: 'mdy' | 'dmy'; today: string },
): { proof: Proof; problem: string | null } {
  const none = (problem: string | null) => ({ proof: { source: null, on: null }, problem })
  if (source === '' && on === '') return none(null)
  if (NO_SOURCE.test(source)) return none('Names no source of consent: no proof of consent.')
  if (source === '') return none('Has a consent date, but no source: no proof of consent.')
  if (on === '') return none('Has a source of consent, but no date: no proof of consent.')
  const read = parseDate(on, { ...localeFormat('en-US'), order })
  if ('refusal' in read) return none("The consent date can't be read: no proof of consent.")
  if (read.value > today || read.value < '1995')
    return none("The consent date can't be right: no proof of consent.")
  return { proof: { source, on: read.value }, problem: null }
}

function namesIn(cell: (column: Column) => string): Pick<ListRow, 'name' | 'firstName' | 'lastName'> {
  const real = (text: string): string | null => (text === '' || isPlaceholderName(text) ? null : text)
  const [firstName, lastName] = [real(cell('firstName')), real(cell('lastName'))]
  const joined = [firstName, lastName].filter((part) => part !== null).join(' ')
  return { name: real(cell('name')) ?? (joined === '' ? null : joined), firstName, lastName }
}
