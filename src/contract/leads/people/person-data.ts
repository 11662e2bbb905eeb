import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { line } from '#contract/fields.ts'
import { ConsentEvent } from '#contract/leads/consents/consents.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { Person } from './people.ts'

/** Everything that is stored about the people with an email address or phone number. */
export const PersonData = z.object({
  people: z.array(Person.extend({ organizationName: z.string() })),
  leads: z.array(z.record(z.string(), z.unknown())),
  messages: z.array(z.record(z.string(), z.unknown())),
  timeline: z.array(z.record(z.string(), z.unknown())),
  consents: z.array(ConsentEvent),
  sources: z.array(z.record(z.string(), z.unknown())),
  /** Records of other parts of the product, by their name. */
  others: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
})
export type PersonData = z.infer<typeof PersonData>

/** An email address or a phone number, as the person states it. */
const Contact = z.strictObject({ contact: line(254, 'Email or phone') })

const LEADS = '/api/customers/get-leads'
const LEAD = '/api/customers/edit-lead/{id}'

export const personData = {
  find: endpoint({
    method: 'GET',
    path: '/api/customers/find-person-data',
    allow: can(Func.dataExport, Opr.export),
    summary: 'Returns everything stored about the people with an email address or phone number.',
    input: Contact,
    output: PersonData,
  }),
  erase: endpoint({
    method: 'POST',
    path: '/api/customers/erase-person-data',
    allow: can(Func.dataExport, Opr.execute),
    summary:
      'Deletes everything stored about the people with an email address or phone number. Cannot be undone. Returns how much was deleted.',
    input: Contact,
    output: z.object({ people: z.number().int(), leads: z.number().int(), others: z.number().int() }),
    changes: [LEADS, LEAD],
  }),
}
