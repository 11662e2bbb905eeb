import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { PRICE_SURFACES } from './price-surfaces.ts'

const project = resolve(import.meta.dirname, '../..')

/** What formats an amount, or prints a vehicle with its price. */
const FORMATS =
  /\b(?:amountText|moneyText|priceInAnswer|priceBlock|vehicleCard|vehiclePage|jsonLdOf|feedRow|customRow|leadText|leadJson|leadAdf)\(|style: 'currency'|\b(?:c|\w+C)ents \/ 100\b/
/** What has a price, in the folders that send something to buyers or to other systems. */
const PRICES = /\b(?:priceCents|totalCents|sellingCents)\b/
const SENDING =
  /^src\/(?:public|contract\/(?:leads|channels|marketing)|server\/(?:mail|leads|marketing|channels))\//

const SITE = ['vehicle in a list of the public site', 'vehicle page of the public site']
const PAGE = [...SITE, 'preview of a link to a vehicle page']
const FILES = PRICE_SURFACES.flatMap(({ name }) => (name.startsWith('channel file') ? [name] : []))
const DELIVERIES = ['email about a lead', 'webhook call about a lead', 'ADF document of a lead']
const ANSWER = ['price in an answer to a lead']
const SHEETS = ['deal sheet', 'window sticker', 'hang tags']
const DOCUMENTS = [...SHEETS, 'proof of price', 'Price tab']
/** It shows amounts to users only, or passes a price on without printing it. */
const NOT_PRINTED: readonly string[] = []

/** The files of server, contract and public pages that may format a price, each with the surfaces that test it. */
const PRINTERS: Record<string, readonly string[]> = {
  'src/contract/channels/listings/custom-columns.ts': FILES,
  'src/contract/channels/listings/json-ld.ts': ['structured data'],
  'src/contract/channels/listings/listing-row.ts': FILES,
  'src/contract/channels/listings/vehicle-listing.ts': [...FILES, ...PAGE],
  'src/contract/marketing/campaigns/funnel.ts': NOT_PRINTED,
  'src/server/marketing/campaigns/campaign-funnel.ts': NOT_PRINTED,
  'src/public/campaign-mail.ts': [
    'vehicle in the email of a campaign',
    'vehicle in the text of the email of a campaign',
  ],
  'src/contract/pricing/totals/lint-advertisement.ts': NOT_PRINTED,
  'src/contract/vehicles/vehicles/bulk-prices.ts': NOT_PRINTED,
  'src/contract/vehicles/vehicles/price-changes.ts': DOCUMENTS,
  // What a source wrote about a vehicle, never a price of ours.
  'src/contract/leads/adf/describe-adf.ts': NOT_PRINTED,
  'src/contract/leads/inbox/check-answer.ts': NOT_PRINTED,
  'src/contract/leads/inbox/leads.ts': NOT_PRINTED,
  'src/contract/leads/inbox/price-in-answer.ts': ANSWER,
  'src/contract/leads/routing/lead-facts.ts': NOT_PRINTED,
  'src/contract/leads/routing/match-rule.ts': NOT_PRINTED,
  'src/contract/leads/routing/plain-rule.ts': NOT_PRINTED,
  'src/public/money.ts': PAGE,
  'src/public/promo-page.ts': [...SITE, 'vehicle block of a promo page'],
  'src/public/vehicle-card.ts': SITE,
  'src/public/vehicle-list-page.ts': SITE,
  'src/public/vehicle-page.ts': [...PAGE, 'structured data'],
  'src/server/channels/documents/buyer-documents.ts': SHEETS,
  'src/server/channels/channels/channels.ts': ['structured data'],
  'src/server/channels/listings/current-total.ts': NOT_PRINTED,
  'src/server/channels/listings/write-feed.ts': FILES,
  'src/server/feeds/runs/price-check.ts': NOT_PRINTED,
  'src/server/feeds/runs/reading/total-prices.ts': NOT_PRINTED,
  'src/server/pricing/advertised/price-documents.ts': DOCUMENTS,
  'src/server/pricing/requests/describe-setting.ts': NOT_PRINTED,
  'src/server/pricing/rules/lowest-prices.ts': NOT_PRINTED,
  'src/server/pricing/rules/rule-consent.ts': NOT_PRINTED,
  'src/server/pricing/rules/rule-differences.ts': NOT_PRINTED,
  'src/server/vehicles/vehicles/price-limits.ts': NOT_PRINTED,
  'src/server/vehicles/vehicles/vehicle-timeline.ts': NOT_PRINTED,
  'src/server/leads/deliveries/delivered-lead.ts': DELIVERIES,
  'src/server/leads/deliveries/delivery-content.ts': DELIVERIES,
  'src/server/leads/deliveries/delivery-worker.ts': DELIVERIES,
  'src/server/leads/deliveries/hand-over-emails.ts': DELIVERIES,
  'src/server/leads/deliveries/lead-adf.ts': DELIVERIES,
  'src/server/leads/deliveries/lead-documents.ts': DELIVERIES,
  'src/server/leads/inbox/leads.ts': NOT_PRINTED,
  'src/server/leads/inbox/read-lead.ts': ANSWER,
  'src/server/leads/inbox/receive-lead.ts': NOT_PRINTED,
  'src/server/leads/routing/read-facts.ts': NOT_PRINTED,
  'src/server/leads/routing/stored-facts.ts': NOT_PRINTED,
  'src/server/marketing/forms/open-form.ts': NOT_PRINTED,
  'src/server/marketing/forms/save-submission.ts': NOT_PRINTED,
  'src/server/marketing/forms/submission-lead.ts': NOT_PRINTED,
  'src/server/marketing/site/site-pages.ts': PAGE,
}

async function readSources(): Promise<(readonly [path: string, text: string])[]> {
  const paths = await Promise.all(
    ['src/public', 'src/server', 'src/contract'].map(async (root) => {
      const entries = await readdir(join(project, root), { recursive: true })
      return entries.map((entry) => `${root}/${entry.replaceAll('\\', '/')}`)
    }),
  )
  const code = paths
    .flat()
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|-price-surfaces\.ts$/.test(path))
  return Promise.all(code.map(async (path) => [path, await readFile(join(project, path), 'utf8')] as const))
}

const isPrinter = (path: string, text: string): boolean =>
  FORMATS.test(text) || (SENDING.test(path) && PRICES.test(text))

test('only listed files format the price of a vehicle, so that a new place is registered as a price surface', async () => {
  const found = (await readSources()).flatMap(([path, text]) => (isPrinter(path, text) ? [path] : []))
  expect(found.toSorted()).toEqual(Object.keys(PRINTERS).toSorted())
})

test('each listed file names surfaces that are registered, and each surface has a file', () => {
  const names = PRICE_SURFACES.map(({ name }) => name)
  const listed = Object.values(PRINTERS).flat()
  expect(listed.filter((name) => !names.includes(name))).toEqual([])
  expect(names.filter((name) => !listed.includes(name))).toEqual([])
})

test('an email that prints a price is found', () => {
  const text = 'const body = ({ totalCents }) => `Only ${totalCents / 100}`'
  expect(isPrinter('src/server/leads/inbox/price-drop-email.ts', text)).toBe(true)
  expect(isPrinter('src/server/mail/price-mail.ts', "format({ style: 'currency' })")).toBe(true)
  expect(isPrinter('src/server/home/health.ts', 'export const x = 1')).toBe(false)
})
