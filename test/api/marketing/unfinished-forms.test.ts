import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { leadSettings } from '#contract/leads/inbox/lead-settings.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import type { Definition } from '#contract/questions/definition.ts'
import { clock } from '#server/clock.ts'
import { hasDueForms, takeDueForms } from '#server/marketing/index.ts'
import { testApp, type TestApp } from '#test/app.ts'
import type { AddedForm } from '#test/factories/marketing/add-marketing.ts'
import { visitorOf } from '#test/factories/marketing/visitor.ts'
import { makeCertificate } from '#test/fakes/certificate.ts'
import { type FakeWebhookReceiver, startFakeWebhookReceiver } from '#test/fakes/webhooks.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const MINUTE = 60_000
let forecourt: TestApp
let place: TestOrganization
let form: AddedForm
let receiver: FakeWebhookReceiver
const trusted = getCACertificates()

const en = (text: string) => ({ en: text })
const STEPS: Definition = {
  languages: ['en'],
  sections: [
    {
      id: 'you',
      title: en('You'),
      questions: [
        { type: 'text', code: 'name', title: en('Name'), obligation: 'required' },
        { type: 'email', code: 'email', title: en('Email') },
        {
          type: 'consent',
          code: 'contact',
          title: en('Contact'),
          text: en('{seller} may call me.'),
          version: 1,
          purpose: 'inquiry',
          channels: ['call'],
        },
      ],
    },
    { id: 'car', title: en('Car'), questions: [{ type: 'text', code: 'model', title: en('Model') }] },
    {
      id: 'end',
      title: en('More'),
      questions: [{ type: 'longText', code: 'message', title: en('Message') }],
    },
  ],
}

beforeAll(async () => {
  const certificate = makeCertificate()
  setDefaultCACertificates([...trusted, certificate.cert])
  receiver = await startFakeWebhookReceiver(certificate)
  forecourt = await testApp({ FORECOURT_DEMO: '1' })
  place = await testOrganization(forecourt, 'Northgate Ford')
  const leadFields = { fullName: 'name', email: 'email', tradeModel: 'model', comments: 'message' } as const
  form = await place.addForm({ draft: STEPS, leadFields })
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await forecourt.close()
  await receiver.close()
})
beforeEach(() => setMinutes(5))

async function setMinutes(unfinishedMinutes: number | null) {
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const { version } = await admin.call(leadSettings.get, {})
  await admin.call(leadSettings.update, { version, unfinishedMinutes })
}

const visitor = () => visitorOf(forecourt, 'northgate.localhost')
const open = (of = visitor()) => of.open(`/f/${form.key}`)
/** Two servers at the same time, six minutes later. */
async function waitForLeads() {
  clock.advance(6 * MINUTE)
  const parts = { queue: forecourt.jobsPool, pool: forecourt.appPool }
  await Promise.all([takeDueForms(parts), takeDueForms(parts)])
}
const leadsOf = async (name: string) => (await place.call(leads.list, { search: name })).results ?? []
const someone = () => {
  const name = fresh('Step')
  return { name, email: `${name.replaceAll(/\W/g, '')}@mail.example`, contact: '1' }
}

test('a form that is left becomes one lead that says so, and gets the rest when it is finished', async () => {
  const person = someone()
  const of = visitor()
  const first = await open(of)
  expect(first.text).toContain('may contact you about it')
  const second = await of.send(`/f/${form.key}`, first.hidden, person)
  const [submission] = (await place.call(submissions.list, { search: person.name })).results ?? []
  const before = await place.call(submissions.get, { id: submission?.id ?? '' })
  expect(before).toMatchObject({ state: 'unfinished', leadId: null, leadDueAt: expect.any(String) })
  expect(await hasDueForms(forecourt.jobsPool)).toBe(false)
  await waitForLeads()
  await waitForLeads()
  const [lead, ...others] = await leadsOf(person.name)
  expect([lead?.unfinished, others]).toEqual([{ step: 1, steps: 3 }, []])
  // The second step is added to the lead, and the last one completes it.
  const third = await of.send(`/f/${form.key}`, second.hidden, { model: 'Fiesta' })
  await waitForLeads()
  const later = await place.call(leads.get, { id: lead?.id ?? '' })
  expect(later).toMatchObject({ unfinished: { step: 2, steps: 3 }, tradeIn: { model: 'Fiesta' } })
  const done = await of.send(`/f/${form.key}`, third.hidden, { message: 'Call me' })
  expect(done.status).toBe(303)
  await of.send(`/f/${form.key}`, third.hidden, { message: 'Call me' })
  await waitForLeads()
  expect(await leadsOf(person.name)).toHaveLength(1)
  const whole = await place.call(leads.get, { id: lead?.id ?? '' })
  expect(whole).toMatchObject({ unfinished: null, comments: 'Call me', tradeIn: { model: 'Fiesta' } })
  expect(whole.timeline.filter(({ kind }) => kind === 'completed')).toHaveLength(1)
  expect(whole.consents.filter(({ kind }) => kind === 'given')).toHaveLength(1)
  const after = await place.call(submissions.get, { id: submission?.id ?? '' })
  expect(after).toMatchObject({ state: 'received', leadId: lead?.id, leadDueAt: null })
})

test('the same buyer in another tab is the same lead, unfinished or finished', async () => {
  const person = someone()
  for (let tab = 0; tab < 2; tab += 1) {
    const of = visitor()
    await of.send(`/f/${form.key}`, (await open(of)).hidden, person)
  }
  await waitForLeads()
  const [lead, ...others] = await leadsOf(person.name)
  expect(others).toEqual([])
  const of = visitor()
  const second = await of.send(`/f/${form.key}`, (await open(of)).hidden, person)
  const third = await of.send(`/f/${form.key}`, second.hidden, { model: 'Golf' })
  await of.send(`/f/${form.key}`, third.hidden, { message: 'From here' })
  await waitForLeads()
  expect(await leadsOf(person.name)).toMatchObject([{ id: lead?.id, unfinished: null }])
})

test('there is no lead without a word on the page, without a way to reach the buyer, or against their will', async () => {
  const [told, untold, refuses, unreachable, stopped] = [1, 2, 3, 4, 5].map(someone)
  if (!told || !untold || !refuses || !unreachable || !stopped) throw new Error('No people.')
  await setMinutes(null)
  const page = await open()
  expect(page.text).toContain('saves this step with the dealer')
  await setMinutes(5)
  const of = visitor()
  const send = async (answers: Record<string, string>) =>
    of.send(`/f/${form.key}`, (await open(of)).hidden, answers)
  await of.send(`/f/${form.key}`, page.hidden, untold)
  await send({ name: refuses.name, email: refuses.email })
  await send({ name: unreachable.name, contact: '1' })
  await send(told)
  await waitForLeads()
  expect(await leadsOf(told.name)).toHaveLength(1)
  for (const { name } of [untold, refuses, unreachable]) expect(await leadsOf(name)).toEqual([])
  // The customer changed their mind.
  await send(stopped)
  await setMinutes(null)
  await waitForLeads()
  await setMinutes(5)
  await waitForLeads()
  expect(await leadsOf(stopped.name)).toEqual([])
})

test('a buyer who refuses later has no lead, and one that was deleted comes back only when the form is finished', async () => {
  const [refuses, erased] = [someone(), someone()]
  const of = visitor()
  const first = await open(of)
  await of.send(`/f/${form.key}`, first.hidden, refuses)
  const other = await open(of)
  const second = await of.send(`/f/${form.key}`, other.hidden, erased)
  await waitForLeads()
  // Back to the first step, without the consent.
  await of.send(`/f/${form.key}`, first.hidden, { name: refuses.name, email: refuses.email })
  await waitForLeads()
  expect(await leadsOf(refuses.name)).toEqual([])
  const [lead] = await leadsOf(erased.name)
  await place.call(leads.remove, { id: lead?.id ?? '', version: lead?.version ?? 0 })
  const third = await of.send(`/f/${form.key}`, second.hidden, { model: 'Fiesta' })
  await waitForLeads()
  expect(await leadsOf(erased.name)).toEqual([])
  // Who finishes it asks for an answer.
  await of.send(`/f/${form.key}`, third.hidden, { message: 'Call me' })
  expect(await leadsOf(erased.name)).toMatchObject([{ unfinished: null }])
})

/** What a webhook is sent of a lead. */
const Call = z.object({
  type: z.string(),
  data: z.object({ id: z.string(), unfinished: z.unknown(), comments: z.unknown() }),
})

test('a rule sends unfinished forms elsewhere; the receiver gets each once, first without the rest, then with it', async () => {
  const destinationId = await place.addLeadDestination({
    kind: 'webhook',
    url: `${receiver.origin}/crm`,
    toEmail: null,
  })
  const rule = { targets: [{ destinationId }], formIds: [form.id] }
  await place.addLeadRule({ ...rule, sources: [], condition: 'formProgress == "unfinished"' })
  const [left, whole] = [someone(), someone()]
  const of = visitor()
  const second = await of.send(`/f/${form.key}`, (await open(of)).hidden, left)
  const other = visitor()
  let page = await other.send(`/f/${form.key}`, (await open(other)).hidden, whole)
  for (const answers of [{ model: 'Golf' }, { message: 'Hello' }])
    page = await other.send(`/f/${form.key}`, page.hidden, answers)
  await waitForLeads()
  const sent = async () => {
    await Promise.all([forecourt.deliveries.workDue(), forecourt.deliveries.workDue()])
    return receiver.calls.map(({ body, headers }) => ({
      id: headers['webhook-id'],
      sent: Call.parse(JSON.parse(body)),
    }))
  }
  const [lead] = await leadsOf(left.name)
  const before = await sent()
  expect(before).toMatchObject([
    { sent: { type: 'lead.created', data: { id: lead?.id, unfinished: { step: 1, steps: 3 } } } },
  ])
  const third = await of.send(`/f/${form.key}`, second.hidden, { model: 'Fiesta' })
  await of.send(`/f/${form.key}`, third.hidden, { message: 'Call me' })
  const after = await sent()
  expect(after.slice(1)).toMatchObject([
    { sent: { type: 'lead.completed', data: { id: lead?.id, unfinished: null, comments: 'Call me' } } },
  ])
  expect(after[1]?.id).not.toBe(before[0]?.id)
  expect(await sent()).toHaveLength(2)
})

test('buyers who finish while their form becomes a lead, and a server that fails halfway, leave one lead each', async () => {
  const people = Array.from({ length: 8 }, someone)
  const tabs = []
  for (const person of people) {
    const of = visitor()
    const second = await of.send(`/f/${form.key}`, (await open(of)).hidden, person)
    const third = await of.send(`/f/${form.key}`, second.hidden, { model: 'Fiesta' })
    tabs.push(() => of.send(`/f/${form.key}`, third.hidden, { message: 'Call me' }))
  }
  // The server fails after the lead of the last one was made.
  await forecourt.owner.query(`
    create function stop_server() returns trigger language plpgsql as $$
      begin raise exception 'stopped' using errcode = '57P01'; end $$;
    create constraint trigger stop_server after update on form_submissions deferrable initially deferred
      for each row when (new.became_lead and new.state = 'unfinished') execute function stop_server()`)
  await expect(waitForLeads()).rejects.toThrow('Unfinished forms could not become leads.')
  for (const { name } of people) expect(await leadsOf(name)).toEqual([])
  await forecourt.owner.query('drop trigger stop_server on form_submissions; drop function stop_server()')
  const sent = await Promise.all([waitForLeads(), ...tabs.slice(0, 4).map((send) => send())])
  expect(sent.slice(1).map((page) => page?.status)).toEqual([303, 303, 303, 303])
  await waitForLeads()
  for (const [at, { name }] of people.entries())
    expect(await leadsOf(name)).toMatchObject([{ unfinished: at < 4 ? null : { step: 2, steps: 3 } }])
})
