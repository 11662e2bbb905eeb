import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { compileDefinition } from '#contract/questions/compile.ts'
import { Definition } from '#contract/questions/definition.ts'
import { evaluateAnswers } from '#contract/questions/evaluate.ts'
import { controlTexts } from '#contract/questions/control-texts.ts'
import { toAnswers, type Drafts } from './draft-answers.ts'
import { QuestionField } from './QuestionField.tsx'
import { QuestionForm } from './QuestionForm.tsx'

const en = (text: string) => ({ en: text })
const choices = ['buy', 'trade'].map((value) => ({ value, title: { en: `To ${value}`, es: `A ${value}` } }))
const NOW = new Date('2026-11-25T15:00:00Z')

const DEFINITION = Definition.parse({
  languages: ['en', 'es'],
  sections: [
    {
      id: 'you',
      title: { en: 'About you', es: 'Sobre usted' },
      questions: [
        { type: 'note', code: 'intro', title: en('Welcome'), text: en('Ask us.') },
        {
          type: 'text',
          code: 'name',
          title: { en: 'Name', es: 'Nombre' },
          obligation: 'required',
          help: en('As in your license'),
        },
        { type: 'longText', code: 'message', title: en('Message') },
        { type: 'email', code: 'email', title: en('Email') },
        { type: 'number', code: 'miles', title: en('Mileage'), unit: 'mi' },
        { type: 'date', code: 'visit', title: en('Visit'), earliest: '2026-01-01' },
        { type: 'boolean', code: 'financing', title: en('Financing') },
        { type: 'single', code: 'interest', title: en('Interest'), choices, allowOther: true },
        { type: 'multiple', code: 'extras', title: en('Extras'), choices },
        { type: 'text', code: 'campaign', title: en('Campaign'), isHidden: true, prefill: 'utm_campaign' },
      ],
    },
    {
      id: 'more',
      title: en('More'),
      questions: [
        {
          type: 'rating',
          code: 'stars',
          title: en('Stars'),
          max: 5,
          lowest: en('Poor'),
          highest: en('Great'),
        },
        {
          type: 'matrix',
          code: 'grid',
          title: en('Grid'),
          choices,
          rows: ['price', 'staff'].map((code) => ({ code, title: en(code) })),
        },
        {
          type: 'table',
          code: 'meters',
          title: en('Meters'),
          columns: [
            { type: 'text', code: 'meter', title: en('Meter') },
            { type: 'number', code: 'kwh', title: en('Used'), unit: 'kWh', total: 'kwhTotal' },
          ],
        },
        { type: 'file', code: 'photos', title: en('Photos'), accept: ['image'] },
        { type: 'address', code: 'home', title: en('Home') },
        { type: 'person', code: 'owner', title: en('Owner') },
        { type: 'facility', code: 'site', title: en('Site') },
        {
          type: 'computed',
          code: 'double',
          title: en('Twice'),
          calculate: 'kwhTotal * 2',
          result: 'number',
          unit: 'kWh',
        },
        { type: 'number', code: 'water', title: en('Water'), obligation: 'ifApplicable' },
        { type: 'text', code: 'pay', title: en('Pay'), obligation: 'mayRefuse' },
        {
          type: 'consent',
          code: 'calls',
          title: en('Calls'),
          text: en('{seller} may call me.'),
          version: 1,
          purpose: 'inquiry',
          channels: ['call'],
        },
      ],
    },
  ],
})
const compiled = compileDefinition(DEFINITION)

function render(initial: Drafts = {}, more: { language?: string; isStepped?: boolean } = {}): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <QuestionForm
        compiled={compiled}
        language="en"
        now={NOW}
        zone="UTC"
        seller={{ name: 'Northgate Ford' }}
        initial={initial}
        submitLabel="Send"
        onSubmit={() => {}}
        {...more}
      />
    </MantineProvider>,
  )
}
const wordsOf = (html: string) =>
  html
    .replaceAll(/<style.*?<\/style>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

/** One question with its problems shown. */
function renderField(code: string, drafts: Drafts): string {
  const question = compiled.byCode.get(code)?.question
  if (question === undefined) throw new Error(code)
  const options = { language: 'en', now: NOW, zone: 'UTC' }
  const evaluation = evaluateAnswers(compiled, toAnswers(compiled, drafts, 'en'), options)
  return renderToStaticMarkup(
    <MantineProvider>
      <QuestionField
        question={question}
        draft={drafts[code]}
        onChange={() => {}}
        onLeave={() => {}}
        problems={evaluation.problems.filter((problem) => problem.question === code)}
        isRequired={evaluation.required.includes(code)}
        context={{ language: 'en', languages: ['en'], text: controlTexts('en'), evaluation }}
      />
    </MantineProvider>,
  )
}

test('every visible question has its title, and hidden fields are not shown', () => {
  const words = wordsOf(render())
  const titles = DEFINITION.sections.flatMap(({ questions }) =>
    questions.filter(({ isHidden, type }) => isHidden !== true && type !== 'consent'),
  )
  for (const { title } of titles) expect(words).toContain(title.en)
  expect(words).toContain('Northgate Ford may call me.')
  expect(words).not.toContain('Campaign')
})

test('every input has a name for screen readers', () => {
  const html = render({ interest: { other: 'Lease' }, meters: [{ meter: 'A' }, {}], pay: { refused: '' } })
  const labeled = new Set(Array.from(html.matchAll(/<label[^>]* for="([^"]+)"/g), ([, id]) => id))
  const inputs = Array.from(html.matchAll(/<(?:input|textarea)\b[^>]*>/g), ([tag]) => tag).filter(
    (tag) => !/type="(hidden|file)"/.test(tag),
  )
  const unnamed = inputs.filter(
    (tag) => !/aria-label=/.test(tag) && !labeled.has(/ id="([^"]+)"/.exec(tag)?.[1]),
  )
  expect(inputs.length).toBeGreaterThan(30)
  expect(unnamed).toEqual([])
})

test('a problem is shown at its input and linked to it', () => {
  const html = renderField('miles', { miles: 'many' })
  expect(wordsOf(html)).toContain('Enter a number, like 1500 or 0.25.')
  expect(html).toContain('aria-invalid="true"')
  expect(html).toMatch(/aria-describedby="[^"]*-error/)
})

test('a problem in a table is shown in its cell', () => {
  const html = renderField('meters', { meters: [{ kwh: '1' }, { kwh: 'x' }] })
  const cells = html.split('<td').filter((cell) => cell.includes('Enter a number'))
  expect(cells).toHaveLength(1)
  expect(cells[0]).toContain('aria-label="Used (kWh), Row 2"')
})

test('help is linked to its input, and a required answer is marked', () => {
  const html = renderField('name', {})
  expect(wordsOf(html)).toContain('As in your license')
  expect(html).toMatch(/aria-describedby="[^"]*-description/)
  expect(html).toContain('aria-required="true"')
})

test('totals and computed values follow the typed numbers', () => {
  const words = wordsOf(render({ meters: [{ kwh: '1,000.5' }, { kwh: '2' }] }))
  expect(words).toContain('Total 1,002.5')
  expect(words).toContain('2,005 kWh')
  expect(wordsOf(render())).toContain('\u2013')
})

test('a question that is not applicable shows no input, a refused one asks for the reason', () => {
  expect(renderField('water', { water: { notApplicable: true } })).not.toContain('inputMode')
  const refused = wordsOf(renderField('pay', { pay: { refused: '' } }))
  expect(refused).toContain('Reason')
  expect(refused).toContain('Enter a reason.')
})

test('the form is in the language of the respondent', () => {
  const words = wordsOf(render({}, { language: 'es-MX' }))
  for (const text of ['Sobre usted', 'Nombre', 'A buy', 'Otra', 'Añadir fila', 'Sí'])
    expect(words).toContain(text)
  expect(render({}, { language: 'es-MX' })).toContain('lang="es"')
})

test('steps show one section at a time', () => {
  const words = wordsOf(render({}, { isStepped: true }))
  expect(words).toContain('Step 1/2')
  expect(words).toContain('Next')
  expect(words).not.toContain('Stars')
  expect(words).not.toContain('Send')
})

test('text of an author or visitor is never markup', () => {
  const bad = '<img src=x onerror=alert(1)>'
  expect(render({ name: bad, message: bad, home: { city: bad } })).not.toContain('<img')
})
