// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import type { Definition, Question } from '#contract/questions/definition.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { type Answers, visitorOf } from '#test/factories/marketing/visitor.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import type { SentPart } from '#test/harness/multipart.ts'

const HOST = 'northgate.localhost'
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1])
const NOTHING: SentPart = { field: 'photos', name: '', bytes: '' }
let forecourt: TestApp
let admin: Caller
let place: TestOrganization

beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_DEMO: '1' })
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const en = (text: string) => ({ en: text })
const EMAIL: Question = { type: 'email', code: 'email', title: en('Email'), obligation: 'required' }
const WHAT: Question = {
  type: 'single',
  code: 'what',
  title: en('Buy or sell?'),
  choices: ['buy', 'sell'].map((value) => ({ value, title: en(value) })),
}
const CAR: Question = { type: 'longText', code: 'car', title: en('Which car?'), visibleIf: 'what == "sell"' }
const PHOTOS: Question = { type: 'file', code: 'photos', title: en('Photos'), visibleIf: 'what == "sell"' }
const required = <T extends Question>(question: T): T => ({ ...question, obligation: 'required' })

const section = (id: string, questions: Question[]) => ({ id, title: en(id), questions })
async function openForm(...sections: Definition['sections']) {
  const draft = { languages: ['en'], sections }
  const form = await place.addForm({ draft, leadFields: { email: 'email' } })
  const { open, send, sendFiles } = visitorOf(forecourt, HOST)
  const url = `/f/${form.key}`
  const email = `${fresh('visitor')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')}@mail.example`
  return {
    email,
    page: await open(url),
    send: (hidden: Answers, answers: Answers) => send(url, hidden, answers),
    sendFiles: (hidden: Answers, answers: Answers, files: SentPart[]) =>
      sendFiles(url, [...Object.entries(hidden), ...Object.entries(answers)], files),
  }
}

async function stored(email: string) {
  const { results } = await admin.call(submissions.list, { search: email })
  const [one] = results
  return one === undefined ? null : admin.call(submissions.get, { id: one.id })
}

test('an optional question that an answer leads to is asked before the form is accepted', async () => {
  const { email, page, sendFiles } = await openForm(section('ask', [EMAIL, WHAT, CAR, PHOTOS]))
  expect(page.text).not.toContain('Which car?')
  const again = await sendFiles(page.hidden, { email, what: 'sell' }, [])
  expect(again.status).toBe(200)
  expect(again.text).toContain('Please answer 2 more questions')
  expect(again.text).toContain('<a href="#f-car">Which car?</a>')
  expect(again.text).toContain('name="car"')
  expect(again.text).toContain(`value="${email}"`)
  expect(again.text).toMatch(/value="sell" checked/)
  expect(await stored(email)).toBeNull()
  const photo = { field: 'photos', name: 'front.jpg', type: 'image/jpeg', bytes: JPEG }
  expect((await sendFiles(again.hidden, { email, what: 'sell', car: 'A red one' }, [photo])).status).toBe(303)
  const record = await stored(email)
  expect(record?.answers).toMatchObject({ what: 'sell', car: 'A red one' })
  expect(record?.files.map(({ name }) => name)).toEqual(['front.jpg'])
})

test('one that was asked may stay empty, and one that another answer takes away is not stored', async () => {
  const { email, page, sendFiles } = await openForm(section('ask', [EMAIL, WHAT, CAR, PHOTOS]))
  const again = await sendFiles(page.hidden, { email, what: 'sell' }, [])
  expect((await sendFiles(again.hidden, { email, what: 'sell', car: '' }, [NOTHING])).status).toBe(303)
  expect((await stored(email))?.answers).toEqual({ email, what: 'sell' })

  const other = await openForm(section('ask', [EMAIL, WHAT, CAR]))
  const shown = await other.send(other.page.hidden, { email: other.email, what: 'sell' })
  const sent = { email: other.email, what: 'buy', car: 'Typed before' }
  expect((await other.send(shown.hidden, sent)).status).toBe(303)
  expect((await stored(other.email))?.answers).toEqual({ email: other.email, what: 'buy' })
})

test('a required one is asked, not reported as a mistake, and refused only if it then stays empty', async () => {
  const { email, page, send } = await openForm(section('ask', [EMAIL, WHAT, required(CAR)]))
  const again = await send(page.hidden, { email, what: 'sell' })
  expect(again.status).toBe(200)
  expect(again.text).toContain('Please answer one more question')
  expect(again.text).not.toContain('Answer this question.')
  const refused = await send(again.hidden, { email, what: 'sell', car: ' ' })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Which car?: Answer this question.')
  expect((await send(refused.hidden, { email, what: 'sell', car: 'Red' })).status).toBe(303)
})

test('mistakes and new questions are shown together, and nothing that was typed is lost', async () => {
  const { page, send } = await openForm(section('ask', [EMAIL, WHAT, required(CAR)]))
  const again = await send(page.hidden, { email: 'nobody', what: 'sell' })
  expect(again.status).toBe(422)
  expect(again.text).toContain('Please check one answer')
  expect(again.text).toContain('Please answer one more question')
  expect(again.text).toContain('value="nobody"')
})

test('questions that lead to further ones are asked one after the other', async () => {
  const paid: Question = {
    type: 'boolean',
    code: 'paid',
    title: en('Is it paid off?'),
    visibleIf: 'what == "sell"',
  }
  const owed: Question = {
    type: 'number',
    code: 'owed',
    title: en('How much is owed?'),
    visibleIf: '!paid && paid != null',
  }
  const { email, page, send } = await openForm(section('ask', [EMAIL, WHAT, paid, required(owed)]))
  const first = await send(page.hidden, { email, what: 'sell' })
  expect(first.text).toContain('Is it paid off?')
  expect(first.text).not.toContain('How much is owed?')
  const second = await send(first.hidden, { email, what: 'sell', paid: 'false' })
  expect(second.text).toContain('How much is owed?')
  const sent = { email, what: 'sell', paid: 'false', owed: '900' }
  expect((await send(second.hidden, sent)).status).toBe(303)
  expect((await stored(email))?.answers).toEqual({ email, what: 'sell', paid: false, owed: '900' })
})

test('a step is shown with what former steps led to, and a former step again for what a later one leads to', async () => {
  const late: Question = { type: 'text', code: 'why', title: en('Why?'), visibleIf: 'sure == true' }
  const sure: Question = { type: 'boolean', code: 'sure', title: en('Are you sure?') }
  const { email, page, send } = await openForm(
    section('one', [EMAIL, WHAT, late]),
    section('two', [required(CAR), sure]),
  )
  expect(page.text).not.toContain('Why?')
  const two = await send(page.hidden, { email, what: 'sell' })
  expect(two.status).toBe(200)
  expect(two.text).toContain('Step 2 of 2')
  expect(two.text).not.toContain('more question')
  expect(two.text).toContain('Which car?')
  const one = await send(two.hidden, { car: 'Red', sure: 'true' })
  expect(one.status).toBe(200)
  expect(one.text).toContain('Step 1 of 2')
  expect(one.text).toContain('Please answer one more question')
  expect(one.text).toContain('Why?')
  const back = await send(one.hidden, { email, what: 'sell', why: 'Because' })
  expect(back.text).toContain('Step 2 of 2')
  expect(back.text).toContain('Red')
  expect((await send(back.hidden, { car: 'Red', sure: 'true' })).status).toBe(303)
  expect((await stored(email))?.answers).toEqual({
    email,
    what: 'sell',
    why: 'Because',
    car: 'Red',
    sure: true,
  })
})
