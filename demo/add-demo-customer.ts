import { FactorInput } from '#contract/carbon/factors/factor-schema.ts'
import { CustomerDetailsChange } from '#contract/customers/details/details.ts'
import { lotRecord } from '#contract/customers/lots/lots.ts'
import { Func, type Permission } from '#contract/permissions.ts'
import { addCustomFactor } from '#server/carbon/index.ts'
import { changeDetails, lotTable, setStatusOf } from '#server/customers/index.ts'
import { actAs, type Database } from '#server/database/tenant-transaction.ts'
import {
  addAuthenticator,
  createUser,
  addUserType,
  CUSTOMER_USER_TYPES,
  invite,
  savePicture,
  type Identity,
} from '#server/identity/index.ts'
import { storeAllPrices } from '#server/pricing/index.ts'
import { BUILT_IN_TEMPLATES } from '#server/mail/templates/built-in-templates.ts'
import { foundCustomer, type FoundedCustomer } from '#server/organizations/index.ts'
import type { Cell, DemoCustomer, DemoDomain, DemoPerson, DemoUserType } from './demo-customer.ts'
import { addDemoAssessments } from './demo-assessments.ts'
import { addDemoCampaigns } from './demo-campaigns.ts'
import { addDemoForms } from './demo-forms.ts'
import { addDemoPages } from './demo-pages.ts'
import { addDemoShortUrls } from './demo-short-urls.ts'
import { addDemoInbound } from './demo-inbound.ts'
import { addDemoLeadRouting } from './demo-lead-routing.ts'
import { addDemoAnswerTemplates } from './demo-answer-templates.ts'
import { addDemoManualLeads } from './demo-manual-leads.ts'
import { addDemoFacilities } from './demo-facilities.ts'
import { addDemoValues } from './demo-values.ts'
import { addDemoInventories } from './demo-inventories.ts'
import { addDemoRequests } from './demo-requests.ts'
import { addDemoViews } from './demo-views.ts'
import type { DemoStock } from './demo-vehicle.ts'
import { importFeeds } from './import-feeds.ts'
import { drawLogo } from './pictures.ts'
import { DEMO_FIELDS } from './custom-fields.ts'
import { DEMO_PASSWORD } from './world.ts'
import { addDemoChannels } from './demo-channels.ts'
import { addDemoRules } from './demo-rules.ts'
import { addDemoSpecialPrice } from './demo-special-prices.ts'
import { addDemoMapping } from './provider-mappings.ts'

/** Creates a demo customer with the product's functions, as its first user. */
export async function addDemoCustomer(
  identity: Identity,
  db: Database,
  { customer, now }: { customer: DemoCustomer; now: Date },
): Promise<void> {
  await actAs(db, scopeOf('', null, null, 'customers.add'))
  const founded = await foundCustomer(db, {
    name: customer.name,
    isPlatform: customer.isPlatform,
    asksForFactors: false,
    organizations: customer.organizations.map(({ name, timeZone }) => ({ name, timeZone })),
  })
  const { customerId } = founded
  for (const type of customer.userTypes ?? []) await addDemoUserType(db, founded, type)
  const people: string[] = []
  for (const person of customer.people) people.push(await addDemoPerson(identity, db, founded, person))
  const [userId = ''] = people
  await db.updateTable('customers').set({ administratorId: userId }).where('id', '=', customerId).execute()

  const [first] = customer.people
  const actor = { userId, name: `${first?.firstName} ${first?.lastName}` }
  const hasVehicles = customer.organizations.some(({ lots }) => lots.some(({ vehicles }) => vehicles))
  if (customer.details || hasVehicles) {
    await actAs(db, scopeOf(customerId, null, actor, 'customerDetails.update'))
    const own = hasVehicles ? { customFields: DEMO_FIELDS } : {}
    await changeDetails(db, customerId, CustomerDetailsChange.parse({ ...customer.details, ...own }))
  }
  await addDemoMailing(db, customer, (endpoint) => scopeOf(customerId, null, actor, endpoint))
  await actAs(db, scopeOf(customerId, null, actor, 'providerMappings.add'))
  for (const mapping of customer.providerMappings ?? []) await addDemoMapping(db, customerId, mapping)
  await actAs(db, scopeOf(customerId, null, actor, 'channels.add'))
  await addDemoChannels(db, { customerId, secrets: identity.secrets, channels: customer.channels ?? [] })
  await actAs(db, scopeOf(customerId, null, actor, 'pricingRules.add'))
  await addDemoRules(db, customer.pricingRules ?? [])
  await actAs(db, scopeOf(customerId, null, actor, 'factors.add'))
  for (const factor of customer.factors ?? []) {
    await addCustomFactor(db, { organizationId: '0', reach: 'customer' }, FactorInput.parse(factor))
  }
  await actAs(db, scopeOf(customerId, null, actor, 'whiteLabels.save'))
  for (const domain of customer.domains ?? []) await addDemoDomain(db, domain)
  const lots: DemoStock[] = []
  for (const organization of customer.organizations) {
    await actAs(db, scopeOf(customerId, founded.organizations[organization.name] ?? '', actor, 'lots.add'))
    for (const { vehicles = 0, ...lot } of organization.lots) {
      const added = await lotTable.add(db, lotRecord.create.parse(lot))
      lots.push({ ...added, dealerId: added.dealerIds[0] ?? added.code, vehicles })
    }
  }
  const lotIds = new Map(lots.map(({ code, id }) => [code, id]))
  await actAs(db, scopeOf(customerId, null, actor, 'valueMappings.add'))
  await addDemoValues(db, customer.values?.first ?? [])
  const firstId = founded.organizations[customer.organizations[0]?.name ?? ''] ?? ''
  await actAs(db, scopeOf(customerId, firstId, actor, 'feedSources.fetch'))
  const timeZone = customer.organizations[0]?.timeZone ?? 'UTC'
  const owner = { customerId, organizationId: firstId, timeZone, userId, name: actor.name }
  await importFeeds(db, owner, { feeds: customer.feeds ?? [], lots, now })
  await actAs(db, scopeOf(customerId, null, actor, 'valueMappings.add'))
  await addDemoValues(db, customer.values?.since ?? [])
  for (const organization of customer.organizations) {
    const organizationId = founded.organizations[organization.name] ?? ''
    await actAs(db, scopeOf(customerId, organizationId, actor, 'facilities.add'))
    await addDemoFacilities(db, organizationId, organization, lotIds)
    await addDemoInventories(db, organizationId, organization.inventories ?? [], {
      people: new Map(customer.people.map(({ userName }, at) => [userName, people[at] ?? ''])),
      act: async (userName, endpoint) => {
        const at = customer.people.findIndex((person) => person.userName === userName)
        const who = customer.people[at]
        const doer = { userId: people[at] ?? '', name: `${who?.firstName} ${who?.lastName}` }
        await actAs(db, scopeOf(customerId, organizationId, doer, endpoint))
      },
      now,
    })
    await actAs(db, scopeOf(customerId, organizationId, actor, 'dataRequests.ask'))
    await addDemoRequests(identity, db, { customerId, organizationId, byName: actor.name, now })
    await actAs(db, scopeOf(customerId, organizationId, actor, 'views.add'))
    if (organization.lots.some(({ vehicles }) => vehicles)) {
      await addDemoViews(db, { organizationId, owner: actor })
    }
  }
  if (customer.hasAssessments === true)
    await addAssessments(identity, db, customer, { customerId, organizationId: firstId, people, now })
  if (hasVehicles) {
    await actAs(db, scopeOf(customerId, null, actor, 'vehiclePrices.setSpecial'))
    await addDemoSpecialPrice(db, { customerId, now })
    await storeAllPrices(db, customerId)
  }
  await addDemoLeads(db, customer, { customerId, firstId, actor, now, secrets: identity.secrets })
  await actAs(db, scopeOf('', null, null, 'customers.setStatus'))
  if (customer.suspended) await setStatusOf(db, customerId, 'suspended', customer.suspended)
}

/** Adds inbound addresses, forms and short URLs, what buyers sent, and the rules by which those leads are routed. */
async function addDemoLeads(
  db: Database,
  { submissions, unfinishedMinutes, shortUrls, promoPages = [], hasCampaigns }: DemoCustomer,
  of: {
    customerId: string
    firstId: string
    actor: { userId: string; name: string }
    now: Date
    secrets: Identity['secrets']
  },
): Promise<void> {
  const { customerId, firstId, actor, now, secrets } = of
  if (submissions === undefined) return
  await actAs(db, scopeOf(customerId, null, actor, 'inboundAddresses.add'))
  await addDemoInbound(db, { customerId, organizationId: firstId, now })
  await addDemoManualLeads(db, { customerId, count: Math.floor(submissions / 25), now })
  await actAs(db, scopeOf(customerId, null, actor, 'forms.add'))
  await addDemoForms(db, { customerId, submissions, unfinishedMinutes, now })
  await actAs(db, scopeOf(customerId, null, actor, 'leadRoutingRules.add'))
  await addDemoLeadRouting(db, customerId)
  await actAs(db, scopeOf(customerId, null, actor, 'answerTemplates.add'))
  await addDemoAnswerTemplates(db)
  if (promoPages.length > 0) {
    await actAs(db, scopeOf(customerId, null, actor, 'promoPages.add'))
    await addDemoPages(db, promoPages)
  }
  if (shortUrls === undefined) return
  await addDemoShortUrls(db, {
    customerId,
    organizationId: firstId,
    count: shortUrls,
    act: (organizationId) => actAs(db, scopeOf(customerId, organizationId, actor, 'shortUrls.add')),
  })
  if (hasCampaigns !== true) return
  await actAs(db, scopeOf(customerId, firstId, actor, 'campaigns.add'))
  await addDemoCampaigns(db, { customerId, organizationId: firstId, secrets, now })
}

/** The assessments of a customer: its sustainability manager answers, its administrator approves. */
async function addAssessments(
  identity: Identity,
  db: Database,
  customer: DemoCustomer,
  of: { customerId: string; organizationId: string; people: readonly string[]; now: Date },
): Promise<void> {
  const userOf = (type: string) => {
    const at = customer.people.findIndex(({ userType }) => userType === type)
    const found = customer.people[at]
    return { id: of.people[at] ?? '', name: `${found?.firstName} ${found?.lastName}` }
  }
  const { customerId, organizationId, now } = of
  await addDemoAssessments(identity, db, {
    customerId,
    organizationId,
    manager: userOf('Sustainability manager'),
    reviewer: userOf('Customer administrator'),
    act: ({ id, name }, endpoint) =>
      actAs(db, scopeOf(customerId, organizationId, { userId: id, name }, endpoint)),
    now,
  })
}

/** Adds email handlers and customized templates. */
async function addDemoMailing(
  db: Database,
  customer: DemoCustomer,
  scope: (endpoint: string) => ReturnType<typeof scopeOf>,
): Promise<void> {
  await actAs(db, scope('emailHandlers.add'))
  for (const handler of customer.emailHandlers ?? []) {
    await db.insertInto('emailHandlers').values(handler).execute()
  }
  await actAs(db, scope('emailTemplates.update'))
  for (const { key, subject } of customer.emailTemplates ?? []) {
    const { mjml, text: plainText } = BUILT_IN_TEMPLATES[key].words
    await db.insertInto('emailTemplates').values({ key, version: 2, subject, mjml, plainText }).execute()
  }
}

async function addDemoDomain(db: Database, { logo, isWaiting, ...domain }: DemoDomain): Promise<void> {
  const drawing = logo === undefined ? null : Buffer.from(drawLogo(logo, domain.brand ?? '#0b6e4f'))
  const picture = drawing && `data:image/svg+xml;base64,${drawing.toString('base64')}`
  const path = await savePicture(db, { field: 'logo', picture, current: null })
  await db
    .insertInto('whiteLabels')
    .values({ ...domain, logo: path, favicon: path, ...(isWaiting === true && { verifiedAt: null }) })
    .execute()
}

async function addDemoUserType(db: Database, founded: FoundedCustomer, type: DemoUserType): Promise<void> {
  const model = CUSTOMER_USER_TYPES.find(({ name }) => name === type.like)
  const taken = new Set<number>((type.less ?? []).map((name) => Func[name].func))
  const permissions = [
    ...(model?.permissions ?? []).filter(({ func }) => !taken.has(func)),
    ...(type.more ?? []).map(permissionOf),
  ]
  const given = {
    name: type.name,
    reach: model?.reach ?? 'organization',
    parent: type.under,
    permissions,
    requiresSecondFactor: type.requiresSecondFactor ?? false,
  }
  const parentId = founded.userTypes[type.under] ?? null
  founded.userTypes[type.name] = await addUserType(db, founded.customerId, given, parentId)
}

async function addDemoPerson(
  identity: Identity,
  db: Database,
  { customerId, organizations, userTypes }: FoundedCustomer,
  demo: DemoPerson,
): Promise<string> {
  const { userType, organizations: names, state, allowed, denied, authenticator, ...more } = demo
  const { isAnnounced: _, ...person } = more
  const userId = await createUser(db, identity.passwords, {
    ...person,
    customerId,
    userTypeId: userTypes[userType] ?? '',
    organizationIds: names.map((name) => organizations[name] ?? ''),
    password: state === 'invited' ? null : DEMO_PASSWORD,
    isActive: state !== 'off',
    isDemo: true,
  })
  const differences = [
    ...(allowed ?? []).map((cell) => ({ ...permissionOf(cell), isAllowed: true })),
    ...(denied ?? []).map((cell) => ({ ...permissionOf(cell), isAllowed: false })),
  ]
  if (differences.length > 0) {
    const rows = differences.map((difference) => ({ customerId, userId, ...difference }))
    await db.insertInto('userPermissions').values(rows).execute()
  }
  if (authenticator) {
    const { secrets } = identity
    await addAuthenticator({ iam: db, secrets }, { customerId, userId }, authenticator)
  }
  if (state === 'invited') await invite(identity, db, { customerId, userId }, null)
  return userId
}

const permissionOf = ([name, opr]: Cell): Permission => ({ func: Func[name].func, opr })

/** The scope of a demo user or of no user, in a customer or outside all customers. */
function scopeOf(
  customerId: string,
  organizationId: string | null,
  actor: { userId: string; name: string } | null,
  endpoint: string,
) {
  return {
    customerId,
    organizationId,
    reach: 'customer',
    actorUserId: actor?.userId ?? null,
    actorName: actor?.name ?? null,
    effectiveUserId: actor?.userId ?? null,
    effectiveName: null,
    endpoint,
    isReadOnly: false,
  } as const
}
