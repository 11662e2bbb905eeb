import type { TestApp } from '#test/app.ts'
import { assessmentFactories, type AssessmentFactories } from '#test/factories/assessments/add-assessments.ts'
import {
  questionnaireFactories,
  type QuestionnaireFactories,
} from '#test/factories/questionnaires/add-questionnaires.ts'
import {
  participantFactories,
  type ParticipantFactories,
} from '#test/factories/participants/add-participants.ts'
import { carbonFactories, type CarbonFactories } from '#test/factories/carbon/add-carbon.ts'
import { userFactories, type UserFactories } from '#test/factories/identity/add-users.ts'
import { inventoryFactories, type InventoryFactories } from '#test/factories/vehicles/add-inventory.ts'
import { inboundFactories, type InboundFactories } from '#test/factories/leads/add-inbound.ts'
import { leadFactories, type LeadFactories } from '#test/factories/leads/add-leads.ts'
import { workFactories, type WorkFactories } from '#test/factories/lists/add-work.ts'
import { marketingFactories, type MarketingFactories } from '#test/factories/marketing/add-marketing.ts'
import { mailFactories, type MailFactories } from '#test/factories/mail/add-mails.ts'
import {
  organizationFactories,
  type OrganizationFactories,
} from '#test/factories/organizations/add-organizations.ts'
import type { Place } from '#test/factories/place.ts'
import { signInLater } from '#test/factories/sign-in-later.ts'
import { DEMO_WORLD } from '../../demo/world.ts'

/**
 * An organization of the demo data with functions that create records in it. They call the product's endpoints as the
 * customer's administrator; only what no user can create is inserted with SQL, for the reason given there.
 */
export type TestOrganization = Omit<Place, 'forecourt' | 'staff'> &
  UserFactories &
  OrganizationFactories &
  InventoryFactories &
  MailFactories &
  LeadFactories &
  InboundFactories &
  MarketingFactories &
  QuestionnaireFactories &
  AssessmentFactories &
  ParticipantFactories &
  CarbonFactories &
  WorkFactories

export { fresh } from '#test/factories/fresh.ts'

export async function testOrganization(forecourt: TestApp, organization: string): Promise<TestOrganization> {
  const { rows } = await forecourt.owner.query<{ customerId: string; id: string }>(
    'select customer_id as "customerId", id from organizations where name = $1',
    [organization],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`There is no organization ${organization}.`)
  const place: Place = {
    forecourt,
    customerId: row.customerId,
    organizationId: row.id,
    staff: signInLater(forecourt, () => forecourt.as('super', organization)),
    ...signInLater(forecourt, () => forecourt.as(administratorOf(organization), organization)),
    async insert(text, values) {
      const inserted = await forecourt.owner.query<{ id: string }>(text, values)
      return inserted.rows[0]?.id ?? ''
    },
  }
  const users = userFactories(place)
  const organizations = organizationFactories(place)
  const inventory = inventoryFactories(place, users)
  const questionnaires = questionnaireFactories(place)
  const assessments = assessmentFactories(place, questionnaires, users)
  return {
    ...place,
    ...users,
    ...organizations,
    ...inventory,
    ...mailFactories(place),
    ...leadFactories(place, inventory),
    ...inboundFactories(place, inventory),
    ...marketingFactories(place, inventory),
    ...questionnaires,
    ...assessments,
    ...participantFactories(place, assessments),
    ...carbonFactories(place, { ...organizations, ...users }),
    ...workFactories(place, inventory),
  }
}

/** The customer's administrator if they are a member of the organization, otherwise the platform's super user. */
function administratorOf(organization: string): string {
  const administrators = DEMO_WORLD.flatMap(({ people }) => people).filter(
    ({ userType, state }) => userType === 'Customer administrator' && state === undefined,
  )
  return administrators.find(({ organizations }) => organizations.includes(organization))?.userName ?? 'super'
}
