import type { TemplateKey } from '#contract/mail/templates/templates.ts'
import { DATA_TEMPLATES } from './data-templates.ts'
import { button, CODE, layout, NAMES, type OwnTemplate } from './template-layout.ts'

const VARIABLES = [
  ...NAMES,
  {
    name: 'link',
    about: 'The link that sets a password',
    sample: 'https://cars.example.com/auth/reset-password#sample',
  },
  { name: 'until', about: 'Until when the link works', sample: '24 November 2026, 14:32 UTC' },
] as const

/** The product's own words. The plain text is what a customer without handlers reads in the outbox, too. */
export const OWN_TEMPLATES: Readonly<Record<TemplateKey, OwnTemplate>> = {
  invitation: {
    id: '1',
    title: 'Invitation',
    variables: VARIABLES,
    words: {
      subject: 'Your account at {{ title }}',
      mjml: layout({
        says: 'You have an account at {{ title }}. Your user name is <b>{{ userName }}</b>.',
        act: button('Choose your password'),
        small: 'The link works once, until {{ until }}. If you did not expect this, ignore this mail.',
      }),
      text: `Hello {{ firstName }},

You have an account at {{ title }}. Your user name is {{ userName }}. Choose your password here:

{{ link }}

The link works once, until {{ until }}. If you did not expect this, ignore this mail.

{{ title }}`,
    },
  },
  'password-reset': {
    id: '2',
    title: 'New password',
    variables: VARIABLES,
    words: {
      subject: 'Set a new password for {{ title }}',
      mjml: layout({
        says: 'Somebody asked for a new password for your account <b>{{ userName }}</b> at {{ title }}.',
        act: button('Set a new password'),
        small:
          'The link works once, until {{ until }}. If it was not you, ignore this mail: your password stays as it is.',
      }),
      text: `Hello {{ firstName }},

Somebody asked for a new password for your account {{ userName }} at {{ title }}. Set it here:

{{ link }}

The link works once, until {{ until }}. If it was not you, ignore this mail: your password stays as it is.

{{ title }}`,
    },
  },
  'sign-in-code': {
    id: '5',
    title: 'Code for signing in',
    variables: [
      ...NAMES,
      { name: 'code', about: 'The code of 6 digits', sample: '482915' },
      { name: 'until', about: 'Until when the code works', sample: '21 November 2026, 14:42 UTC' },
    ],
    words: {
      subject: 'Your code for {{ title }}',
      mjml: layout({
        says: 'Somebody signs in to {{ title }} as <b>{{ userName }}</b> with the right password. If it is you, this is your code:',
        act: CODE,
        small:
          'It works once, until {{ until }}. Nobody of {{ title }} ever asks you for it. If it was not you, change your password now.',
      }),
      text: `Hello {{ firstName }},

Somebody signs in to {{ title }} as {{ userName }} with the right password. If it is you, this is your code:

{{ code }}

It works once, until {{ until }}. Nobody of {{ title }} ever asks you for it. If it was not you, change your password now.

{{ title }}`,
    },
  },
  'factor-removed': {
    id: '6',
    title: 'Authenticator taken away',
    variables: [...NAMES, { name: 'by', about: 'Who did it', sample: 'Nadia Rahman' }],
    words: {
      subject: 'Your authenticator for {{ title }} was taken away',
      mjml: layout({
        says: '{{ by }} took away the authenticator of your account <b>{{ userName }}</b>, with its backup codes and trusted devices.',
        small:
          'You can turn on another one under Security in your own menu. If you did not ask for this, tell your administrator now.',
      }),
      text: `Hello {{ firstName }},

{{ by }} took away the authenticator of your account {{ userName }}, with its backup codes and trusted devices.

You can turn on another one under Security in your own menu. If you did not ask for this, tell your administrator now.

{{ title }}`,
    },
  },
  impersonation: {
    id: '4',
    title: 'Somebody in your account',
    variables: [
      ...NAMES,
      { name: 'byName', about: 'Who is in the account', sample: 'Dana Whitfield' },
      { name: 'what', about: 'What they do with it: looks at, or works in', sample: 'looks at' },
      { name: 'until', about: 'When it ends at the latest', sample: '24 November 2026, 14:32 UTC' },
      {
        name: 'link',
        about: "The link to the reader's sessions",
        sample: 'https://cars.example.com/account/sessions',
      },
    ],
    words: {
      subject: '{{ byName }} {{ what }} your account at {{ title }}',
      mjml: layout({
        says: '<b>{{ byName }}</b> {{ what }} your account <b>{{ userName }}</b> at {{ title }}, until {{ until }} at the latest.',
        act: button('See your sessions'),
        small:
          'Everything they change is noted under both names. If you did not ask for help, end it there and tell your administrator.',
      }),
      text: `Hello {{ firstName }},

{{ byName }} {{ what }} your account {{ userName }} at {{ title }}, until {{ until }} at the latest. Everything they change is noted under both names. If you did not ask for help, end it here and tell your administrator:

{{ link }}

{{ title }}`,
    },
  },
  ...DATA_TEMPLATES,
}
