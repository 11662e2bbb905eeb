import { sql } from 'kysely'
import type { Campaign, CampaignCheck } from '#contract/marketing/campaigns/campaigns.ts'
import { lintClaims, unknownVariables } from '#contract/marketing/campaigns/lint-claims.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Outbox } from '#server/mail/index.ts'
import type { CampaignContent } from './compose-campaign.ts'
import { countAudience, readAudience } from './read-audience.ts'

const check = (
  id: CampaignCheck['id'],
  title: string,
  findings: readonly string[],
  state: CampaignCheck['state'] = 'error',
): CampaignCheck => ({ id, title, state: findings.length === 0 ? 'ok' : state, findings: [...findings] })

/** Everything that the database knows about. The sending domain is asked for apart. */
export async function checkCampaign(
  db: Database,
  content: CampaignContent,
  isSending: Outbox['isSending'],
): Promise<CampaignCheck[]> {
  const { campaign, site, vehicles, without, lot } = content
  const { customerId } = site
  const page = await readPage(db, campaign)
  const members = await readAudience(db, campaign)
  const { mailed, people } = countAudience(members)
  const texts = [campaign.subject, campaign.headline, campaign.text, campaign.button]
  const facts = {
    vehicles: vehicles.length,
    lastDays: [...(page?.lastDays ?? []), ...(await readRuleEnds(db, vehicles))],
    totals: vehicles.flatMap(({ listing }) => listing.price?.cents ?? []),
  }
  const isReal = await isSending(db, customerId, campaign.handlerId ?? undefined)
  return [
    check('message', 'Email is complete', [
      ...(campaign.subject === '' ? ['Enter a subject.'] : []),
      ...(campaign.headline === '' && campaign.text === '' ? ['Enter a headline or a text.'] : []),
      ...(campaign.button === '' ? ['Enter what the button says.'] : []),
      ...texts
        .flatMap(unknownVariables)
        .map((name) => `“{{ ${name} }}” isn't a variable. Use firstName, lot or company.`),
      ...(texts.some((text) => /\{\{[^}]*$|^[^{]*\}\}/u.test(text))
        ? ['A variable has only some of its braces: write {{ firstName }}.']
        : []),
    ]),
    checkVehicles(campaign, vehicles.length, without),
    check(
      'claims',
      'Dates, numbers and prices are right',
      texts.flatMap((text) => lintClaims(text, facts)),
    ),
    checkPage(campaign, page, site.host !== ''),
    check(
      'address',
      'Postal address',
      lot.missing.map(
        (part) => `${lot.name} has no ${part}. Add it to the lot: the law asks for a postal address.`,
      ),
    ),
    check('audience', 'Audience', [
      ...(mailed > 0 ? [] : [noOne(people)]),
      ...(await readImporting(db, campaign)).map(
        (name) => `The list “${name}” is still being imported. Wait until it is complete.`,
      ),
    ]),
    check(
      'handler',
      'Emails go out',
      isReal
        ? []
        : [
            'Emails stay in the outbox, and nothing is sent, because no mail server is set up. The campaign can run, and each recipient says “Not sent”.',
          ],
      'warning',
    ),
  ]
}

const noOne = (people: number): string =>
  people === 0
    ? 'No one matches the audience.'
    : `None of the ${people} people who match can be mailed. See why on the Audience tab.`

function checkVehicles({ vehicleIds }: Campaign, shown: number, without: readonly string[]): CampaignCheck {
  if (vehicleIds.length > 0 && shown === 0)
    return check('vehicles', 'Vehicles are for sale', [
      'None of the chosen vehicles is for sale with a price.',
      ...without,
    ])
  return check(
    'vehicles',
    'Vehicles are for sale',
    without.map((one) => `${one} It isn't in the email.`),
    'warning',
  )
}

/** The names of its lists whose import goes on. */
async function readImporting(db: Database, { audience }: Campaign): Promise<string[]> {
  if (audience.listIds.length === 0) return []
  const { rows } = await sql<{ name: string }>`
    select name from imported_lists where id = any(${audience.listIds}::bigint[]) and state = 'importing'
    order by name_key`.execute(db)
  return rows.map(({ name }) => name)
}

type Page = Readonly<{ isShown: boolean; name: string; lastDays: readonly string[] }>

async function readPage(db: Database, { pageId }: Campaign): Promise<Page | null> {
  if (pageId === null) return null
  const { rows } = await sql<{ name: string; isShown: boolean; endsOn: string | null }>`
    select p.name, p.published_number is not null and p.withdrawn_at is null
        and coalesce(v.ends_on >= today(c.time_zone), true) and coalesce(v.starts_on <= today(c.time_zone), true) as is_shown,
      to_char(v.ends_on, 'YYYY-MM-DD') as ends_on
    from promo_pages p join customers c on c.id = p.customer_id
    left join promo_page_versions v on v.customer_id = p.customer_id and v.page_id = p.id and v.number = p.published_number
    where p.id = ${pageId}`.execute(db)
  const [page] = rows
  return page === undefined ? null : { ...page, lastDays: page.endsOn === null ? [] : [page.endsOn] }
}

function checkPage({ pageId }: Campaign, page: Page | null, hasHost: boolean): CampaignCheck {
  return check('page', 'Promo page', [
    ...(pageId === null || page === null ? ['Choose the promo page that the button opens.'] : []),
    ...(page !== null && !page.isShown ? [`Visitors can't see “${page.name}” now. Publish it first.`] : []),
    ...(hasHost
      ? []
      : ['Links and the unsubscribe page need a verified public domain. Add one under White label.']),
  ])
}

/** The last days of the price rules that are in the prices of these vehicles. */
async function readRuleEnds(db: Database, vehicles: CampaignContent['vehicles']): Promise<string[]> {
  const ids = vehicles.flatMap(
    ({ listing }) => listing.quote?.lines.flatMap(({ ruleId }) => ruleId ?? []) ?? [],
  )
  if (ids.length === 0) return []
  const { rows } = await sql<{ day: string }>`
    select distinct to_char(r.until_minute::timestamp - interval '1 minute', 'YYYY-MM-DD') as day from pricing_rules r
    where r.id = any(${[...new Set(ids)]}::bigint[]) and r.until_minute is not null`.execute(db)
  return rows.map(({ day }) => day)
}

/** Why a campaign can't be scheduled: its first failed check. */
export function firstFailure(checks: readonly CampaignCheck[]): string | null {
  const failed = checks.find(({ state }) => state === 'error')
  return failed === undefined ? null : `${failed.title}: ${failed.findings[0] ?? ''}`
}
