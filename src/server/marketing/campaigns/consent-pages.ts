import { sql } from 'kysely'
import type pg from 'pg'
import { type Database, inTenant } from '#server/database/tenant-transaction.ts'
import type { CountGuess } from '#server/identity/index.ts'
import { noteConsents } from '#server/leads/index.ts'
import { systemScope } from '#server/queue/due-items.ts'
import { html } from '#public/html.ts'
import { messagePage } from '#public/layout.ts'
import type { SiteApp, SiteRequest } from '../site/site-app.ts'
import { KEY, quiet, unknownLink } from './campaign-pages.ts'

type ConsentRequest = {
  id: string
  personId: string
  organizationId: string
  listName: string
  answer: 'yes' | 'no' | null
}

/** `/o/{key}` of the email that asks people of an imported list: a page with two buttons. Nothing acts on GET. */
export function addConsentPages(
  sites: SiteApp,
  { pool, countGuess }: Readonly<{ pool: pg.Pool; countGuess: CountGuess }>,
): void {
  const within = <T>({ site }: SiteRequest, work: (db: Database) => Promise<T>): Promise<T> =>
    inTenant(pool, systemScope(site.customerId, 'site.consent'), work)
  const unknown = unknownLink(countGuess)

  sites.page('/o/:key', async (visitor) => {
    quiet(visitor)
    const key = visitor.params['key'] ?? ''
    const found = await within(visitor, (db) => find(db, key))
    return found === null ? unknown(visitor) : { page: askingPage(visitor, key, found) }
  })
  sites.page(
    '/o/:key',
    async (visitor) => {
      quiet(visitor)
      const { body } = visitor.request
      // What an email program sends by itself to unsubscribe (RFC 8058) is a no.
      const answer = body instanceof URLSearchParams && body.get('answer') === 'yes' ? 'yes' : 'no'
      const isDone = await within(visitor, async (db) => {
        const found = await find(db, visitor.params['key'] ?? '')
        if (found === null) return false
        await save(db, found, answer)
        return true
      })
      return isDone ? { page: donePage(visitor, answer) } : unknown(visitor)
    },
    'POST',
  )
}

async function find(db: Database, key: string): Promise<ConsentRequest | null> {
  if (!KEY.test(key)) return null
  const { rows } = await sql<ConsentRequest>`
    select e.id::text, coalesce(p.merged_into_id, p.id)::text as person_id, e.organization_id::text, i.name as list_name, e.answer
    from imported_list_people e join imported_lists i on i.customer_id = e.customer_id and i.id = e.list_id
    join people p on p.customer_id = e.customer_id and p.id = e.person_id
    where e.link_key = ${key} and e.requested_at is not null for update of e`.execute(db)
  return rows[0] ?? null
}

async function save(
  db: Database,
  { id, personId, organizationId, listName, ...before }: ConsentRequest,
  answer: 'yes' | 'no',
) {
  if (before.answer === answer) return
  await sql`update imported_list_people set answer = ${answer}, answered_at = app_now() where id = ${id}`.execute(
    db,
  )
  const no = before.answer === 'yes' ? 'revoked' : 'declined'
  const kind = answer === 'yes' ? 'given' : no
  const text = `Offers and news by email: ${answer === 'yes' ? 'wanted' : 'not wanted'}. Said on the page of the email that asked (list “${listName}”).`
  await noteConsents(db, { personId, organizationId, leadId: null }, [
    { kind, purpose: 'marketing', channels: ['email'], text },
  ])
}

function askingPage({ site }: SiteRequest, key: string, { answer }: ConsentRequest) {
  const button = (value: 'yes' | 'no', label: string) =>
    html`<form method="post" action="/o/${key}">
      <p><button class="button" name="answer" value="${value}">${label}</button></p>
    </form>`
  const now = answer === 'yes' ? 'You get them now.' : 'You don’t get them now.'
  return messagePage({
    title: 'Offers and news by email',
    text: `${answer === null ? `Do you want offers and news from ${site.title} by email?` : now} Nothing changes until you press a button.`,
    link: null,
    more: html`${answer !== 'yes' && button('yes', 'Yes, send me offers')}${answer !== 'no' && button('no', 'No, thanks')}`,
  })
}

function donePage({ site }: SiteRequest, answer: 'yes' | 'no') {
  return messagePage({
    title: answer === 'yes' ? 'Thank you' : 'You get no offers',
    text:
      answer === 'yes'
        ? `${site.title} sends you offers and news by email. Each has a link to unsubscribe.`
        : `${site.title} sends you no offers and news by email.`,
  })
}
