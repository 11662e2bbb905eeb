import { sql } from 'kysely'
import { TEMPLATE_LIST } from '#contract/mail/templates/template-list.ts'
import { TEMPLATE_KEYS, type TemplateRow } from '#contract/mail/templates/templates.ts'
import { type PageOf, inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { contains } from '#server/lists/contains.ts'
import { instant } from '#server/lists/json-text.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { BUILT_IN_TEMPLATES } from './built-in-templates.ts'

const own = sql.join(
  TEMPLATE_KEYS.map((key) => {
    const { id, title, words } = BUILT_IN_TEMPLATES[key]
    return sql`(${id}::bigint, ${key}::text, ${title}::text, ${words.subject}::text)`
  }),
)
const column = (name: string) => ({ value: sql.ref(`t.${name}`) })

/** The product's templates with the customer's newest version of each, selected by row-level security. */
export const templateSource: ListSource<keyof typeof TEMPLATE_LIST.fields> = {
  list: TEMPLATE_LIST,
  from: sql`(
    select p.id, p.key, p.title, coalesce(case when not e.is_built_in then e.subject end, p.subject) as subject,
      coalesce(not e.is_built_in, false) as is_changed, coalesce(e.version, 1) as version, e.created_at, e.created_by
    from (values ${own}) p (id, key, title, subject)
    left join lateral (select v.* from email_templates v where v.key = p.key order by v.version desc limit 1) e on true
  ) t`,
  within: () => sql`true`,
  id: sql`t.id`,
  title: sql`t.title`,
  fields: {
    title: { ...column('title'), isNeverNull: true },
    subject: { ...column('subject'), isNeverNull: true },
    isChanged: column('is_changed'),
    version: { ...column('version'), isNeverNull: true },
    updatedAt: column('created_at'),
    updatedBy: column('created_by'),
  },
  search: (text) => contains([sql.ref('t.title'), sql.ref('t.subject')], text),
}

/** One page of the email templates. */
export async function listTemplates(
  db: Database,
  actor: Member,
  input: PageOf<keyof typeof TEMPLATE_LIST.fields>,
) {
  const { ids, ...counts } = await readPage(db, actor, templateSource, input)
  const { rows } =
    await sql<TemplateRow>`select t.id::text, t.key, t.title, t.subject, t.is_changed, t.version,
    ${instant(sql`t.created_at`)} as updated_at, t.created_by as updated_by
    from ${templateSource.from} where ${isOneOf(templateSource, ids)}`.execute(db)
  return { ...counts, results: inOrder(ids, rows) }
}
