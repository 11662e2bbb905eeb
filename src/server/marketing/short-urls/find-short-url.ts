import { sql } from 'kysely'
import { vehiclePath } from '#contract/marketing/site/vehicle-address.ts'
import type { Site } from '#contract/marketing/site/site.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { usedUpOf } from './short-url-table.ts'
import { isPublishedOnLot } from '#server/vehicles/index.ts'

/** A short URL as a visitor opens it. */
export type FoundShortUrl = Readonly<{
  id: string
  /** Changes with each change of the short URL: `truck9 4`. */
  revision: string
  isOwnPage: boolean
  /** A path of the site or an address; null if what it led to was deleted. */
  target: string | null
  /** The published vehicle whose name is in the path. */
  vehicleId: string | null
  /** When it stops working, in milliseconds; null: never. */
  endsAt: number | null
  /** It was opened as often as it may be. */
  isUsedUp: boolean
  /** `short_url`: the key, which a lead keeps; not told to other sites. */
  preset: Readonly<Record<'utm_source' | 'utm_medium' | 'utm_campaign' | 'short_url', string | null>>
  preview: Readonly<{ title: string | null; picture: string | null }>
}>

type Row = {
  id: string
  revision: string
  key: string
  target: 'vehicle' | 'form' | 'url' | 'page'
  url: string | null
  formKey: string | null
  pageSlug: string | null
  vehicleId: string | null
  isPublished: boolean
  year: number | null
  make: string | null
  model: string | null
  trim: string | null
  endsAt: number | null
  isUsedUp: boolean
  utmSource: string | null
  utmMedium: string | null
  utmCampaign: string | null
  previewTitle: string | null
  previewPicture: string | null
}

/** The short URL with a key; null if there is none, or its organization is archived. */
export async function findShortUrl(
  db: Database,
  { customerId }: Pick<Site, 'customerId'>,
  key: string,
): Promise<FoundShortUrl | null> {
  const { rows } = await sql<Row>`
    select s.id::text, s.key, s.key || ' ' || s.version as revision, s.target, s.url, f.key as form_key, p.slug as page_slug, v.id::text as vehicle_id,
      coalesce(${isPublishedOnLot}, false) as is_published, v.year, v.make, v.model, v.trim,
      (extract(epoch from (s.expires_on + 1)::timestamp at time zone c.time_zone) * 1000)::float8 as ends_at,
      ${usedUpOf('s')} as is_used_up, s.utm_source, s.utm_medium, s.utm_campaign, s.preview_title, s.preview_picture
    from short_urls s join customers c on c.id = s.customer_id
      join organizations o on o.customer_id = s.customer_id and o.id = s.organization_id
      left join vehicles v on v.customer_id = s.customer_id and v.id = s.vehicle_id
      left join lots l on l.customer_id = v.customer_id and l.id = v.lot_id
      left join forms f on f.customer_id = s.customer_id and f.id = s.form_id
      left join promo_pages p on p.customer_id = s.customer_id and p.id = s.page_id
    where s.customer_id = ${customerId} and s.key = ${key} and o.archived_at is null`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const { id, revision, endsAt, isUsedUp, vehicleId, isPublished } = row
  return {
    id,
    revision,
    isOwnPage: row.target !== 'url',
    target: targetOf(row),
    vehicleId: isPublished ? vehicleId : null,
    endsAt,
    isUsedUp,
    preset: {
      utm_source: row.utmSource,
      utm_medium: row.utmMedium,
      utm_campaign: row.utmCampaign,
      short_url: row.target === 'url' ? null : row.key,
    },
    preview: { title: row.previewTitle, picture: row.previewPicture },
  }
}

function targetOf({ target, url, formKey, pageSlug, vehicleId, isPublished, ...names }: Row): string | null {
  if (target === 'url') return url
  if (target === 'form') return formKey === null ? null : `/f/${formKey}`
  if (target === 'page') return pageSlug === null ? null : `/p/${pageSlug}`
  if (vehicleId === null) return null
  return isPublished ? vehiclePath({ ...names, id: vehicleId }) : unnamedPath(vehicleId)
}

/** The page of a vehicle by its ID alone: the name of one that isn't published is nobody's business. */
export const unnamedPath = (vehicleId: string): string => `/v/${vehicleId}`

/** Those of these revisions that are still current. */
export async function readRevisions(
  db: Database,
  customerId: string,
  revisions: readonly string[],
): Promise<string[]> {
  if (revisions.length === 0) return []
  const keys = revisions.map((revision) => revision.split(' ')[0] ?? '')
  const { rows } = await sql<{ revision: string }>`
    select s.key || ' ' || s.version as revision from short_urls s
      join organizations o on o.customer_id = s.customer_id and o.id = s.organization_id
    where s.customer_id = ${customerId} and s.key = any(${keys}) and o.archived_at is null`.execute(db)
  return rows.map(({ revision }) => revision)
}
