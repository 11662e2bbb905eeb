import type pg from 'pg'

/** What marks the values of a column: its name, so that it says itself where it was found. */
const mark = (table: string, column: string) => `ink_${table}.${column}_ink`
const MARKS = /ink_([a-z_]+\.[a-z_]+?)_ink/g
/** An amount that nothing else has, in cents. */
const AMOUNT = 98_765_432
const AMOUNTS = ['98765432', '987654.32', '987,654.32']

/** Columns by which rows are found, or that aren't texts for people: with a mark, nothing would be found. */
const TECHNICAL =
  /(?:^|_)(?:key|keys|hash|sealed|token|secret|lease|zone|time_zone|minute|currency|unit|language|code|type|kind|state|status|format|path|place|url|host|vin|stored_as|fingerprint|etag|brand|domain|endpoint|condition|rule|formula|law|channel|purpose|role|scope|origin|challenge|sha256|mutation_id|upload_id|visit_id)$/

type Inked = { inked: string[]; refused: string[] }

/**
 * Marks every text and every amount of a customer's rows, except what `isPublic` says, as if everything that is not meant for
 * the public had its own name in it. A new column is marked without being named here.
 */
export async function inkColumns(owner: pg.Client, customerId: string): Promise<Inked> {
  const { rows } = await owner.query<{ table: string; column: string; isAmount: boolean }>(
    `select c.table_name as table, c.column_name as column, c.data_type <> 'text' as "isAmount" from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
      and (c.data_type = 'text' or c.data_type = 'bigint' and c.column_name like '%\\_cents')
      and (t.table_name = 'customers' or exists (select from information_schema.columns o where o.table_schema = 'public' and o.table_name = c.table_name
        and o.column_name = 'customer_id'))
    order by 1, 2`,
  )
  const found: Inked = { inked: [], refused: [] }
  const tables = new Set(rows.map(({ table }) => table))
  for (const table of tables) await owner.query(`alter table ${table} disable trigger user`)
  for (const { table, column, isAmount } of rows) {
    const name = `${table}.${column}`
    if (isForBuyers(name) || TECHNICAL.test(column)) continue
    const value = isAmount ? String(AMOUNT) : `left(${column}, 60) || ' ${mark(table, column)}'`
    const done = await owner
      .query(
        `update ${table} set ${column} = ${value} where ${table === 'customers' ? 'id' : 'customer_id'} = $1 and ${column} is not null`,
        [customerId],
      )
      .then(
        ({ rowCount }) => (rowCount ?? 0) > 0,
        // A choice of words, or a text that is parsed: no one can type a secret into it.
        () => null,
      )
    if (done !== null && done) found.inked.push(name)
    if (done === null) found.refused.push(name)
  }
  for (const table of tables) await owner.query(`alter table ${table} enable trigger user`)
  return found
}

/** The columns whose marks are in a text. */
export function inkIn(text: string): string[] {
  const found = [...text.matchAll(MARKS)].map(([, column = '']) => column)
  const amounts = AMOUNTS.filter((amount) => text.includes(amount)).map((amount) => `an amount: ${amount}`)
  return [...new Set([...found, ...amounts])]
}

const columns = (names: string): readonly string[] => names.split(' ')
type Declared = Readonly<Record<string, readonly string[]>>

/** What buyers and receivers of files read, by design. Everything else of a customer is internal. */
const FOR_BUYERS: Declared = {
  vehicles: columns(
    'make model trim body color interior_color fuel transmission drivetrain engine stock description certification price_cents msrp_cents',
  ),
  // Stored prices are those that buyers pay.
  vehicle_prices: columns('selling_cents total_cents'),
  lots: columns('name address city region postal_code phone'),
  organizations: columns('name'),
  white_labels: columns('title footer logo favicon'),
  forms: columns('name thank_you_title thank_you_text reply_subject reply_text'),
  promo_page_versions: columns('title description'),
  channels: columns('page_template'),
  // To the provider who sends files to the URL of the feed.
  feed_sources: columns('name'),
}
/** What the people at a target read besides. */
const FOR_PARTICIPANTS: Declared = {
  assessments: columns('name'),
  assessment_participants: columns('name email'),
  assessment_people: columns('name'),
  assessment_invitations: columns('invited_by'),
  assessment_answers: columns('answered_by'),
  assessment_delegations: columns('delegated_by'),
  assessment_comments: columns('text written_by'),
}

const isOn = (list: Declared, column: string): boolean => {
  const [table = '', name = ''] = column.split('.')
  return list[table]?.includes(name) ?? false
}
const isForBuyers = (column: string): boolean => isOn(FOR_BUYERS, column)
/** Whether a column, such as `assessments.name`, is meant for the people at a target. */
export const isForParticipants = (column: string): boolean => isOn(FOR_PARTICIPANTS, column)
