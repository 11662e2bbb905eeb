import { lots } from '#contract/customers/lots/lots.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { EVERYONE } from '#contract/marketing/campaigns/audience.ts'
import { type Campaign, campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { clock } from '#server/clock.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { freshDatabase } from '#test/engine/database.ts'
import { startFakeDnsServer } from '#test/fakes/dns.ts'
import { startFakeSmtpServer } from '#test/fakes/smtp.ts'
import { type Person, signInLater } from '#test/factories/sign-in-later.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

export const CAMPAIGN_SENDER = 'Forecourt <noreply@forecourt.example>'

/** Sends at any time of any day. */
export const ALWAYS = { weekdays: [1, 2, 3, 4, 5, 6, 7], windowFrom: '00:00', windowTo: '23:59' }

export type CampaignWorld = Awaited<ReturnType<typeof campaignWorld>>

/** `emailOf`: SQL of the address of the buyer `n`. `kind`: of their consent. */
type ManyBuyers = Readonly<{
  name?: string
  emailOf?: string
  kind?: 'given' | 'declined' | 'revoked' | 'none'
  from?: number
  lot?: string
}>

/** The product with a mail server, a sending domain that is right, and a lot with a form and a promo page. */
export async function campaignWorld() {
  const smtp = await startFakeSmtpServer()
  const dns = await startFakeDnsServer()
  dns.texts.set('forecourt.example', ['v=spf1 include:mail.example -all'])
  dns.texts.set('_dmarc.forecourt.example', ['v=DMARC1; p=quarantine'])
  const database = await freshDatabase()
  const environment = {
    FORECOURT_SMTP_URL: smtp.url,
    FORECOURT_MAIL_FROM: CAMPAIGN_SENDER,
    FORECOURT_NAME_SERVERS: dns.address,
  }
  const forecourt = await testApp(environment, { database })
  const place = await testOrganization(forecourt, 'Northgate Ford')
  const admin = signInLater(forecourt, () => forecourt.as('super', 'Northgate Ford'))
  const addLot = (timeZone = 'UTC') => addLotWithAddress({ place, admin }, timeZone)
  const lotId = await addLot()
  const form = await place.addForm({ lotId })
  const pageId = (await place.addPage({ lotId }, { isPublished: true })).id

  let buyers = 0
  const get = (id: string) => admin.call(campaigns.get, { id })
  const work = async (by: Pick<TestApp, 'campaigns' | 'outbox'> = forecourt): Promise<void> => {
    await by.campaigns.workDue()
    await by.outbox.deliver()
  }
  return {
    smtp,
    dns,
    database,
    environment,
    forecourt,
    place,
    admin,
    lotId,
    addLot,
    form,
    pageId,
    get,
    /** Lets the workers do what is due, as they would in a minute. */
    work,
    /** A buyer who agreed to offers by email, or didn't. */
    addBuyer: async (more: { email?: string; news?: boolean } = {}) => {
      const email = more.email ?? `campaign.buyer${++buyers}@mail.example`
      const name = fresh('Casey')
      await place.addSubmission(form, {
        hasProof: true,
        fields: { name, email, ...(more.news !== false && { news: '1' }) },
      })
      const { results } = await admin.call(leads.list, { search: name })
      const { personId } = await admin.call(leads.get, { id: results?.[0]?.id ?? '' })
      return { email, name, personId }
    },
    /** Buyers `name1@mail.example` to the last, without the forms that they sent. By default they agreed to offers. */
    addManyBuyers: (count: number, more: ManyBuyers = {}) =>
      addManyBuyers({ forecourt, place, lotId }, count, more),
    /** A campaign for the leads of the lot. */
    addCampaign: async (more: object = {}): Promise<Campaign> => {
      const { id } = await place.addCampaign({
        lotId,
        subject: 'Trucks for {{ firstName }}',
        headline: 'Trucks at {{ lot }}',
        text: 'Come and see them.',
        button: 'See the trucks',
        pageId,
        audience: { ...EVERYONE, lotIds: [lotId] },
        ...ALWAYS,
        perHour: 6_000,
        ...more,
      })
      return get(id)
    },
    schedule: ({ id, version }: Pick<Campaign, 'id' | 'version'>) =>
      admin.call(campaigns.schedule, { id, version }),
    workToEnd: async (id: string): Promise<Campaign> => {
      for (let turn = 0; turn < 8; turn += 1) {
        await work()
        clock.advance(61_000)
        if ((await get(id)).state !== 'sending') break
      }
      return get(id)
    },
    mailsTo: (email: string) => smtp.emails.filter(({ to }) => to.includes(email)),
    close: async (): Promise<void> => {
      await forecourt.close()
      await smtp.close()
      await dns.close()
    },
  }
}

type Of = Readonly<{ forecourt: TestApp; place: TestOrganization; lotId: string }>

async function addManyBuyers(
  { forecourt, place, lotId }: Of,
  count: number,
  more: ManyBuyers,
): Promise<void> {
  const { name = 'many', kind = 'given', from = 1, lot = lotId } = more
  const { emailOf = `'${name}' || n || '@mail.example'` } = more
  await forecourt.owner.query(
    `with added as (
          insert into people (customer_id, organization_id, name, email)
          select $1, $2, 'Buyer ' || n, ${emailOf} from generate_series($5::int, $5::int + $4::int - 1) n returning id, email
        ), contacts as (
          insert into person_contacts (customer_id, organization_id, person_id, kind, value, value_key)
          select $1, $2, id, 'email', email, lower(email) from added where email is not null
        ), consents as (
          insert into consent_events (customer_id, organization_id, person_id, kind, purpose, channel, text)
          select $1, $2, id, $6, 'marketing', 'email', 'Offers' from added where $6 <> 'none'
        )
        insert into leads (customer_id, organization_id, person_id, lot_id, type, source_kind, source_name)
        select $1, $2, id, $3, 'general', 'manual', 'Walk-in' from added`,
    [place.customerId, place.organizationId, lot, count, from, kind],
  )
}

async function addLotWithAddress(
  { place, admin }: Pick<Of, 'place'> & { admin: Person },
  timeZone: string,
): Promise<string> {
  const id = await place.addLot()
  await admin.call(lots.update, {
    id,
    address: '1200 Auto Center Dr',
    city: 'Sacramento',
    region: 'CA',
    postalCode: '95815',
    timeZone,
  })
  return id
}
