import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leads } from '#contract/leads/inbox/leads.ts'
import { MAX_FORM_FILE_BYTES } from '#contract/marketing/forms/form-files.ts'
import { FIELD_NAMES } from '#contract/marketing/forms/form-body.ts'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import type { Definition, Question } from '#contract/questions/definition.ts'
import { clock } from '#server/clock.ts'
import { sweepFormFiles } from '#server/marketing/index.ts'
import { openFolderStorage } from '#server/outside/folder-storage.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { visitorOf } from '#test/factories/marketing/visitor.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const HOST = 'northgate.localhost'
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
const draftOf = (questions: readonly Question[], languages = ['en']): Definition => ({
  languages,
  sections: [{ id: 'ask', title: en('Ask'), questions: [EMAIL, ...questions] }],
})
const addForm = (questions: readonly Question[], at = place) =>
  at.addForm({ draft: draftOf(questions), leadFields: { email: 'email' } })
const visitor = () => visitorOf(forecourt, HOST)
const anyEmail = () =>
  `${fresh('visitor')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')}@mail.example`

async function recordOf(email: string) {
  const { results } = await admin.call(submissions.list, { search: email })
  expect(results).toHaveLength(1)
  return admin.call(submissions.get, { id: results[0]?.id ?? '' })
}

describe('questions with several fields', () => {
  const QUESTIONS: Question[] = [
    {
      type: 'table',
      code: 'cars',
      title: en('Your cars'),
      maxRows: 4,
      columns: [
        { type: 'text', code: 'make', title: en('Make'), isRequired: true },
        { type: 'number', code: 'miles', title: en('Mileage'), total: 'allMiles' },
        { type: 'boolean', code: 'paid', title: en('Paid off') },
      ],
    },
    {
      type: 'matrix',
      code: 'state',
      title: en('Condition'),
      rows: [{ code: 'body', title: en('Body') }],
      choices: [{ value: 'good', title: en('Good') }],
    },
    { type: 'address', code: 'home', title: en('Address') },
    { type: 'person', code: 'partner', title: en('Second buyer') },
  ]

  test('are asked without a script, and reach the dealer in words', async () => {
    const form = await addForm(QUESTIONS)
    const { open, send } = visitor()
    const page = await open(`/f/${form.key}`)
    expect(page.text).toContain('name="cars.1.make" aria-label="Make, Row 2"')
    expect(page.text).not.toContain('cars.2.make')
    const email = anyEmail()
    const answers = {
      email,
      'cars.0.make': 'Kia',
      'cars.0.miles': '61,000',
      'cars.0.paid': 'true',
      'cars.1.make': '',
      'state.body': 'good',
      'home.street': '1 Main St',
      'home.postalCode': '95814',
      'partner.name': 'Sam Ellis',
    }
    const wrong = await send(`/f/${form.key}`, page.hidden, {
      ...answers,
      'cars.0.make': '',
      'home.postalCode': '1',
      'partner.name': '',
      'partner.phone': '9165550133',
    })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('Your cars, row 1: Answer this question.')
    expect(wrong.text).toContain('id="f-home.postalCode-error"')
    expect(wrong.text).toContain('id="f-partner.name-error"')
    expect(wrong.text).toContain('value="61,000"')
    expect((await send(`/f/${form.key}`, wrong.hidden, answers)).status).toBe(303)
    expect((await recordOf(email)).answers).toEqual({
      email,
      cars: [{ make: 'Kia', miles: '61000', paid: true }],
      state: { body: 'good' },
      home: { street: '1 Main St', postalCode: '95814' },
      partner: { name: 'Sam Ellis' },
    })
  })

  test('the button for more rows stores nothing, keeps what was typed, and stops at the limit', async () => {
    const form = await addForm(QUESTIONS)
    const { open, send } = visitor()
    const { hidden } = await open(`/f/${form.key}`)
    const email = anyEmail()
    const typed = { email, 'cars.0.make': 'Kia', 'cars.1.make': 'Ford', 'home.postalCode': '1' }
    const more = await send(`/f/${form.key}`, hidden, { ...typed, [FIELD_NAMES.more]: 'cars' })
    expect(more.status).toBe(200)
    expect(more.text).toContain('name="cars.2.make" aria-label="Make, Row 3" autofocus')
    expect(more.text).toContain('name="cars.3.make"')
    expect(more.text).not.toContain('cars.4.make')
    expect(more.text).not.toContain(`value="cars"`)
    expect(more.text).toContain('value="Ford"')
    expect(more.text).not.toContain('Please check')
    expect((await admin.call(submissions.list, { search: email })).results).toEqual([])
  })

  test('refuse parts that they do not have', async () => {
    const form = await addForm(QUESTIONS)
    const { open, send } = visitor()
    const { hidden } = await open(`/f/${form.key}`)
    for (const tampered of ['cars.0.price', 'cars.900.make', 'state.engine', 'home.planet']) {
      const answer = await send(`/f/${form.key}`, hidden, { email: anyEmail(), [tampered]: 'x' })
      expect([tampered, answer.status]).toEqual([tampered, 422])
    }
  })
})

const PHOTOS: Question = {
  type: 'file',
  code: 'photos',
  title: en('Photos'),
  accept: ['image', 'pdf'],
  maxFiles: 2,
}
const JPEG = Buffer.from('\u00FF\u00D8\u00FF\u00E0 a picture', 'latin1')
const photo = (name: string, bytes: Buffer = JPEG) => ({ name, bytes, field: 'photos', type: 'image/jpeg' })
/** What a browser sends for a file input without a file. */
const NOTHING = { name: '', bytes: '', field: 'photos' }
const rows = async (email: string) =>
  (
    await forecourt.owner.query<{ name: string; storedAs: string }>(
      `select f.name, f.stored_as::text as "storedAs" from form_files f join form_submissions s
        on s.customer_id = f.customer_id and s.id = f.submission_id where s.sender_email = $1 order by f.id`,
      [email],
    )
  ).rows
const openForm = async (question: Question = PHOTOS, at = place) => {
  const form = await addForm([question], at)
  const { open: openPage, sendFiles } = visitor()
  const url = `/f/${form.key}`
  const page = await openPage(url)
  const email = anyEmail()
  const send = (fields: Record<string, string | string[]>, files: Parameters<typeof sendFiles>[2]) =>
    sendFiles(
      url,
      Object.entries({ ...page.hidden, email, ...fields }).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, one]),
      ),
      files,
    )
  return { email, send, page }
}
const keptIds = (text: string) =>
  [...text.matchAll(/name="photos" value="([^"]+)" checked/g)].map(([, id = '']) => id)

describe('files', () => {
  test('arrive with the form, and the dealer downloads them from the submission and the lead as attachments', async () => {
    const { email, send, page } = await openForm(
      PHOTOS,
      await testOrganization(forecourt, 'Northgate Toyota'),
    )
    expect(page.text).toContain('enctype="multipart/form-data"')
    expect((await send({}, [photo('front.jpg'), NOTHING])).status).toBe(303)
    const { id, files, leadId } = await recordOf(email)
    expect(files).toEqual([
      {
        id: expect.any(String),
        question: 'photos',
        name: 'front.jpg',
        type: 'image/jpeg',
        bytes: JPEG.length,
      },
    ])
    expect((await admin.call(leads.get, { id: leadId ?? '' })).files).toEqual(files)
    const url = `/api/dvp/get-submission-file/${files[0]?.id}`
    const file = await admin.send({ method: 'GET', url })
    expect(file.status).toBe(200)
    expect(file.headers['content-disposition']).toContain('attachment')
    expect(file.headers['x-content-type-options']).toBe('nosniff')
    expect(file.headers['content-security-policy']).toContain('sandbox')
    const sister = await forecourt.as('northgate.dealer')
    expect((await sister.send({ method: 'GET', url })).status).toBe(404)
    await admin.call(submissions.remove, { id })
    expect((await admin.send({ method: 'GET', url })).status).toBe(404)
  })

  test('a mistake keeps the files that were sent, and one can be left out', async () => {
    const { email, send } = await openForm()
    const wrong = await send({ email: 'no address' }, [
      photo('a.jpg'),
      photo('b.jpg', Buffer.concat([JPEG, JPEG])),
    ])
    expect(wrong.status).toBe(422)
    const ids = keptIds(wrong.text)
    expect(ids).toHaveLength(2)
    expect((await send({ photos: ids.slice(0, 1) }, [NOTHING])).status).toBe(303)
    expect((await rows(email)).map(({ name }) => name)).toEqual(['a.jpg'])
  })

  test('a file that is too large or of another type keeps what was typed and the other files', async () => {
    const { email, send } = await openForm()
    const large = photo('large.jpg', Buffer.concat([JPEG, Buffer.alloc(MAX_FORM_FILE_BYTES)]))
    const wrong = await send({}, [large, photo('fine.jpg')])
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('This file is too large: at most 10 MB.')
    expect(wrong.text).toContain(`value="${email}"`)
    expect(wrong.text).toContain('fine.jpg')
    const program = await send({}, [photo('invoice.pdf', Buffer.from('MZ\u0090\0', 'latin1'))])
    expect(program.text).toContain('Files of this type aren&#39;t accepted.')
    const three = await send({}, [
      photo('1.jpg', Buffer.concat([JPEG, Buffer.from('1')])),
      photo('2.jpg', Buffer.concat([JPEG, Buffer.from('2')])),
      photo('3.jpg', Buffer.concat([JPEG, Buffer.from('3')])),
    ])
    expect(three.text).toContain('Add at most 2 files.')
    expect(await rows(email)).toEqual([])
  })

  test('a double-click stores the form and its file once', async () => {
    const { email, send } = await openForm()
    const both = await Promise.all([send({}, [photo('once.jpg')]), send({}, [photo('once.jpg')])])
    expect(both.map(({ status }) => status)).toEqual([303, 303])
    expect((await recordOf(email)).files).toHaveLength(1)
  })

  test("a file of another visitor's page is refused", async () => {
    const first = await openForm()
    const [id = ''] = keptIds((await first.send({ email: 'no address' }, [photo('private.jpg')])).text)
    expect(id).not.toBe('')
    const second = await openForm()
    const answer = await second.send({ photos: id }, [NOTHING])
    expect(answer.status).toBe(422)
    expect(answer.text).not.toContain('private.jpg')
  })

  test('a required file that was sent without one is asked for', async () => {
    const { send } = await openForm({ ...PHOTOS, obligation: 'required' })
    expect((await send({}, [NOTHING])).text).toContain('Photos: Answer this question.')
  })
})

describe('a form in two languages', () => {
  const bilingual = () =>
    place.addForm({
      name: fresh('Ask'),
      draft: {
        languages: ['en', 'es'],
        sections: [
          {
            id: 'ask',
            title: en('Ask'),
            questions: [
              { ...EMAIL, title: { en: 'Email', es: 'Correo' } },
              { type: 'boolean', code: 'call', title: { en: 'May we call?', es: '¿Podemos llamar?' } },
            ],
          },
        ],
      },
      leadFields: { email: 'email' },
      translations: {
        es: { name: 'Pregunte', thankYouTitle: 'Gracias', thankYouText: 'Contestaremos pronto.' },
      },
    })

  test('is shown in the one that the browser prefers, or that the visitor chose, down to the buttons', async () => {
    const form = await bilingual()
    const { open } = visitor()
    const spanish = await open(`/f/${form.key}?ad=1`, { 'accept-language': 'es-MX,es;q=0.9,en;q=0.5' })
    expect(spanish.text).toContain('<html lang="es">')
    for (const text of ['<h1>Pregunte</h1>', 'Correo', 'Sí', 'Enviar', '(opcional)', 'Ir al contenido'])
      expect(spanish.text).toContain(text)
    expect(spanish.text).toContain(
      '<a href="/f/' + form.key + '?ad=1&amp;lang=en" lang="en" hreflang="en">English</a>',
    )
    const english = await open(`/f/${form.key}?lang=en`, { 'accept-language': 'es' })
    expect(english.text).toContain('<html lang="en">')
    expect(english.text).toContain('Nothing is sent until you press the button.')
    // No guess for a language that the form doesn't have.
    expect((await open(`/f/${form.key}`, { 'accept-language': 'it,de' })).text).toContain('<html lang="en">')
  })

  test('keeps its language through a mistake to the thank-you page', async () => {
    const form = await bilingual()
    const { open, send } = visitor()
    const { hidden } = await open(`/f/${form.key}?lang=es`)
    const wrong = await send(`/f/${form.key}`, hidden, { email: 'no' })
    expect(wrong.text).toContain('Revise una respuesta')
    expect(wrong.text).toContain('<html lang="es">')
    const email = anyEmail()
    const sent = await send(`/f/${form.key}`, wrong.hidden, { email })
    expect(sent.location).toBe(`/f/${form.key}/thanks?lang=es`)
    const thanks = await open(sent.location ?? '')
    expect(thanks.text).toContain('Contestaremos pronto.')
    expect(thanks.text).toContain('Ver todos los vehículos')
    expect((await recordOf(email)).language).toBe('es')
  })
})

test('a phone number in the name and a script in every field arrive as text, once', async () => {
  const form = await place.addForm()
  const { open, send } = visitor()
  const { hidden } = await open(`/f/${form.key}`)
  const email = anyEmail()
  const name = `${fresh('Ann')} (916) 555-0177 <script>alert(1)</script>`
  const message = '"><script>alert(2)</script>{{7*7}}'
  expect((await send(`/f/${form.key}`, hidden, { name, email, message })).status).toBe(303)
  expect((await recordOf(email)).answers).toEqual({ name, email, message })
})

/** Long after every file was stored: storage has times of the real clock. */
const LATER = Number.MAX_SAFE_INTEGER

test('files of a page that was never sent are removed after a day, those of a submission with it', async () => {
  const { email, send } = await openForm()
  await send({ email: 'no address' }, [photo('draft.jpg', Buffer.concat([JPEG, Buffer.from('draft')]))])
  await send({}, [photo('sent.jpg')])
  const parts = {
    storage: await openFolderStorage(forecourt.filesFolder),
    iam: forecourt.identity.iam,
    pool: forecourt.appPool,
  }
  const stored = async () => {
    const { rows: all } = await forecourt.owner.query<{ storedAs: string }>(
      'select distinct stored_as::text as "storedAs" from form_files',
    )
    return all.length
  }
  const before = await stored()
  clock.advance(25 * 3_600_000)
  await sweepFormFiles(parts, LATER)
  expect(await stored()).toBeLessThan(before)
  // The session ended during the day.
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const { id, files } = await recordOf(email)
  const url = `/api/dvp/get-submission-file/${files[0]?.id}`
  expect((await admin.send({ method: 'GET', url })).status).toBe(200)
  await admin.call(submissions.remove, { id })
  expect(await sweepFormFiles(parts, LATER)).toBe(1)
  expect(await sweepFormFiles(parts, LATER)).toBe(0)
})
