import { sql } from 'kysely'
import type { LeadType } from '#contract/leads/inbox/lead-list.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { receiveLead } from '#server/leads/index.ts'

const HOUR_MS = 3_600_000

type Manual = {
  hours: number
  type: LeadType
  sourceName: string
  firstName: string
  lastName: string
  comments: string
}

const LEADS: readonly Manual[] = [
  lead(30, 'finance', 'Phone call', 'Nadia Rossi', 'Asked for the payment with 2,000 down over 60 months.'),
  // He is known from an earlier visit, and calls from another number.
  lead(52, 'service', 'Phone call', 'Oscar Diaz', 'Wants the brakes checked before a trip next week.'),
  lead(77, 'used', 'Walk-in', 'Imani Brooks', 'Looked at trucks under 30,000 and left a card.'),
  // She lives with Oscar Diaz, and has the same phone.
  lead(101, 'parts', 'Phone call', 'Maria Diaz', 'Needs a tonneau cover for a 2021 F-150.'),
  lead(170, 'new', 'Walk-in', 'Lena Fischer', 'Drove the new Bronco. Comes back with her husband.'),
  lead(290, 'trade-in', 'Walk-in', 'Oscar Diaz', 'Wants an offer for his 2017 Tacoma.'),
  lead(410, 'finance', 'Phone call', 'Ruth Malone', 'First-time buyer, asked what she needs to bring.'),
  lead(620, 'service', 'Phone call', 'Amir Haddad', 'Recall letter for the airbag.'),
  lead(900, 'general', 'Referral', 'Sophie Laurent', 'Sent by her neighbor, who bought here in May.'),
  lead(1_300, 'parts', 'Phone call', 'Greg Olsen', 'Winter tires with rims.'),
]

/** The place of the first lead of Oscar Diaz. */
const OSCAR = 5

function lead(hours: number, type: LeadType, sourceName: string, name: string, comments: string): Manual {
  const [firstName = '', lastName = ''] = name.split(' ')
  return { hours, type, sourceName, firstName, lastName, comments }
}

/** Adds leads that users entered after a phone call or a visit, `count` at most. */
export async function addDemoManualLeads(
  db: Database,
  { customerId, count, now }: { customerId: string; count: number; now: Date },
): Promise<void> {
  const { rows: lots } = await sql<{ id: string; organizationId: string }>`
    select id::text, organization_id::text from lots where customer_id = ${customerId} order by id limit 2`.execute(
    db,
  )
  // Oldest first, as they came in.
  for (const [at, { hours, ...one }] of [...LEADS.slice(0, count).entries()].toReversed()) {
    const lot = lots[at % Math.max(1, lots.length)]
    if (lot === undefined) return
    const { type, sourceName, comments, firstName, lastName } = one
    await receiveLead(db, {
      organizationId: lot.organizationId,
      lotId: lot.id,
      type,
      sourceKind: 'manual',
      sourceName,
      person: {
        firstName,
        lastName,
        email: `${firstName}.${lastName}@mail.example`.toLowerCase(),
        phone: `(916) 555-03${String(firstName === 'Maria' ? OSCAR : at).padStart(2, '0')}`,
      },
      comments,
      receivedAt: new Date(now.getTime() - hours * HOUR_MS),
    })
  }
}
