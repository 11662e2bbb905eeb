import { sql } from 'kysely'
import { instant } from '#server/lists/json-text.ts'

/** The columns of a person `p` with the names of the contract. */
export const personColumns = sql`p.id::text, p.name, p.first_name as "firstName", p.last_name as "lastName", p.email, p.phone,
  p.phone_e164 as "phoneE164", p.street, p.city, p.region, p.postal_code as "postalCode", p.country, p.language,
  p.preferred_contact as "preferredContact", p.contact_time as "contactTime", p.version,
  ${instant(sql`p.updated_at`)} as "updatedAt", p.updated_by as "updatedBy"`
