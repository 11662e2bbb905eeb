import { sql } from 'kysely'
import type { Campaign } from '#contract/marketing/campaigns/campaigns.ts'
import { fillVariables } from '#contract/marketing/campaigns/lint-claims.ts'
import type { Site, SiteVehicle } from '#contract/marketing/site/site.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Secrets } from '#server/secrets.ts'
import { campaignMailHtml, campaignMailText } from '#public/campaign-mail.ts'
import { originOf } from '../site/site-origin.ts'
import { sitePictures } from '../site/site-pages.ts'
import { readDisclaimersOf, readPublished, readVehicles } from '../site/site-vehicles.ts'

/** What the emails of a campaign have in common at one moment: prices and vehicles of then. */
export type CampaignContent = Readonly<{
  campaign: Campaign
  site: Site
  origin: string
  /** The chosen vehicles that are for sale, with their total prices. */
  vehicles: readonly SiteVehicle[]
  /** The others, with the reason. */
  without: readonly string[]
  disclaimers: readonly string[]
  lot: Readonly<{ name: string; address: string; missing: readonly string[] }>
}>

/** The reader of one email. `linkKey`: null in a preview, whose links lead nowhere. */
export type CampaignReader = Readonly<{ firstName: string | null; linkKey: string | null }>

export type ComposeParts = Readonly<{
  secrets: Secrets
  base: () => string
  readSite: (customerId: string) => Promise<Site>
}>

/** Reads what an email of the campaign shows now. */
export async function readContent(
  db: Database,
  site: Site,
  campaign: Campaign,
  parts: Pick<ComposeParts, 'secrets' | 'base'>,
): Promise<CampaignContent> {
  const ids = await readPublished(db, site.customerId, campaign.vehicleIds)
  const shown = campaign.vehicleIds.filter((id) => ids.includes(id))
  const all = await readVehicles(db, { site, ids: shown, pictureAddress: sitePictures(parts.secrets, site) })
  const vehicles = all.filter(({ listing }) => listing.price !== null)
  const disclaimers = await readDisclaimersOf(db, site, vehicles)
  const missing = campaign.vehicles.flatMap(({ id, title }) => {
    if (!shown.includes(id)) return [`${title} isn't for sale on the public site.`]
    return vehicles.some(({ listing }) => listing.id === id) ? [] : [`${title} has no price.`]
  })
  return {
    campaign,
    site,
    origin: originOf({ host: site.host === '' ? 'localhost' : site.host }, parts.base()),
    vehicles,
    without: missing,
    disclaimers: campaign.disclaimer === null ? disclaimers : [...disclaimers, campaign.disclaimer],
    lot: await readLot(db, campaign.lotId),
  }
}

/** The postal address, which the law asks for in every marketing email. */
export async function readLot(db: Database, id: string): Promise<CampaignContent['lot']> {
  const { rows } = await sql<{
    name: string
    street: string
    city: string
    region: string
    postalCode: string
  }>`
    select name, coalesce(address, '') as street, coalesce(city, '') as city, coalesce(region, '') as region,
      coalesce(postal_code, '') as postal_code from lots where id = ${id}`.execute(db)
  const lot = rows[0] ?? { name: '', street: '', city: '', region: '', postalCode: '' }
  const missing = [
    ...(lot.street === '' ? ['street'] : []),
    ...(lot.city === '' ? ['city'] : []),
    ...(lot.postalCode === '' ? ['ZIP code'] : []),
  ]
  const region = [lot.region, lot.postalCode].filter((part) => part !== '').join(' ')
  const address = [lot.street, lot.city, region].filter((part) => part !== '').join(', ')
  return { name: lot.name, address, missing }
}

/** The email to one reader. */
export function composeFor(
  { campaign, site, origin, vehicles, disclaimers, lot }: CampaignContent,
  reader: CampaignReader,
) {
  const { firstName, linkKey } = reader
  const values = { firstName: firstName?.trim() || 'there', lot: lot.name, company: site.title }
  const fill = (text: string): string => fillVariables(text, values)
  const link = (path: string): string => (linkKey === null ? '#' : `${origin}${path}`)
  const unsubscribe = link(`/u/${linkKey ?? ''}`)
  const mail = {
    company: site.title,
    brand: site.brand,
    origin: linkKey === null ? '' : origin,
    headline: fill(campaign.headline),
    text: fill(campaign.text),
    vehicles,
    linkOf: (vehicleId: string) => link(`/c/${linkKey ?? ''}/${vehicleId}`),
    button:
      campaign.button === '' ? null : { label: fill(campaign.button), href: link(`/c/${linkKey ?? ''}`) },
    disclaimers: disclaimers.map(fill),
    lot,
    why: `You get this email because you agreed to offers by email from ${site.title}.`,
    unsubscribe,
  }
  return {
    subject: fill(campaign.subject),
    html: campaignMailHtml(mail),
    text: campaignMailText(mail),
    unsubscribe,
  }
}
