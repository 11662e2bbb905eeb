import type { TemplateKey } from '#contract/mail/templates/templates.ts'
import { PARTICIPANT_TEMPLATES } from './participant-templates.ts'
import { ASSESSMENT_TEMPLATES } from './assessment-templates.ts'
import { DATA_TEMPLATES } from './data-templates.ts'
import { button, CODE, layout, NAMES, type BuiltInTemplate } from './template-layout.ts'

const VARIABLES = [
  ...NAMES,
  {
    name: 'link',
    about: 'The link that sets a password',
    sample: 'https://cars.example.com/auth/reset-password#sample',
  },
  { name: 'until', about: 'When the link expires', sample: 'November 24, 2026 at 2:32 PM UTC' },
] as const

/** The built-in templates. Customers without a handler read the plain text in the outbox. */
export const BUILT_IN_TEMPLATES: Readonly<Record<TemplateKey, BuiltInTemplate>> = {
  invitation: {
    id: '1',
    title: 'Invitation',
    variables: VARIABLES,
    words: {
      subject: 'Your account at {{ title }}',
      mjml: layout({
        body: 'Your account at {{ title }} is ready. Your user name is <b>{{ userName }}</b>.',
        action: button('Set your password'),
        small:
          "This link works once and expires on {{ until }}. If you weren't expecting this email, you can ignore it.",
      }),
      text: `Hello {{ firstName }},

Your account at {{ title }} is ready. Your user name is {{ userName }}. Set your password here:

{{ link }}

This link works once and expires on {{ until }}. If you weren't expecting this email, you can ignore it.

{{ title }}`,
    },
  },
  'password-reset': {
    id: '2',
    title: 'Password reset',
    variables: VARIABLES,
    words: {
      subject: 'Reset your password for {{ title }}',
      mjml: layout({
        body: 'We received a request to reset the password for your account <b>{{ userName }}</b> at {{ title }}.',
        action: button('Reset password'),
        small:
          "This link works once and expires on {{ until }}. If you didn't request this, you can ignore this email. Your password won't change.",
      }),
      text: `Hello {{ firstName }},

We received a request to reset the password for your account {{ userName }} at {{ title }}. Reset it here:

{{ link }}

This link works once and expires on {{ until }}. If you didn't request this, you can ignore this email. Your password won't change.

{{ title }}`,
    },
  },
  'sign-in-code': {
    id: '5',
    title: 'Sign-in code',
    variables: [
      ...NAMES,
      { name: 'code', about: 'The 6-digit code', sample: '482915' },
      { name: 'until', about: 'When the code expires', sample: 'November 21, 2026 at 2:42 PM UTC' },
    ],
    words: {
      subject: 'Your sign-in code for {{ title }}',
      mjml: layout({
        body: 'Someone is signing in to {{ title }} as <b>{{ userName }}</b> with the correct password. If this is you, here is your code:',
        action: CODE,
        small:
          "This code works once and expires on {{ until }}. {{ title }} will never ask you for it. If this wasn't you, change your password now.",
      }),
      text: `Hello {{ firstName }},

Someone is signing in to {{ title }} as {{ userName }} with the correct password. If this is you, here is your code:

{{ code }}

This code works once and expires on {{ until }}. {{ title }} will never ask you for it. If this wasn't you, change your password now.

{{ title }}`,
    },
  },
  'factor-removed': {
    id: '6',
    title: 'Authenticator removed',
    variables: [...NAMES, { name: 'by', about: 'Who removed it', sample: 'Nadia Rahman' }],
    words: {
      subject: 'Your authenticator for {{ title }} was removed',
      mjml: layout({
        body: '{{ by }} removed the authenticator from your account <b>{{ userName }}</b>, along with its backup codes and trusted devices.',
        small:
          "You can set up a new one under Security in your user menu. If you didn't ask for this, contact your administrator right away.",
      }),
      text: `Hello {{ firstName }},

{{ by }} removed the authenticator from your account {{ userName }}, along with its backup codes and trusted devices.

You can set up a new one under Security in your user menu. If you didn't ask for this, contact your administrator right away.

{{ title }}`,
    },
  },
  'security-change': {
    id: '30',
    title: 'Sign-in settings changed',
    variables: [
      ...NAMES,
      {
        name: 'what',
        about: 'What changed, in sentences',
        sample: 'Your password was changed. Your other sessions were ended.',
      },
      {
        name: 'how',
        about: 'When, and who did it or where',
        sample:
          'This happened on November 21, 2026 at 2:32 PM UTC with Firefox on Windows, from the address 203.0.113.5.',
      },
      {
        name: 'link',
        about: "The link to the recipient's security settings",
        sample: 'https://cars.example.com/account/security',
      },
    ],
    words: {
      subject: 'A change to how you sign in to {{ title }}',
      mjml: layout({
        body: '{{ what }} Your account is <b>{{ userName }}</b> at {{ title }}.</mj-text><mj-text>{{ how }}',
        action: button('View your security settings'),
        small:
          "If you know about this, you don't need to do anything. If you don't, change your password, sign out everywhere under Your sessions, and tell your administrator right away.",
      }),
      text: `Hello {{ firstName }},

{{ what }} Your account is {{ userName }} at {{ title }}.

{{ how }}

If you know about this, you don't need to do anything. If you don't, change your password, sign out everywhere under Your sessions, and tell your administrator right away. Your security settings are here:

{{ link }}

{{ title }}`,
    },
  },
  impersonation: {
    id: '4',
    title: 'Support accessed your account',
    variables: [
      ...NAMES,
      { name: 'byName', about: 'Who is accessing the account', sample: 'Dana Whitfield' },
      { name: 'what', about: 'What they do: is viewing, or is working in', sample: 'is viewing' },
      { name: 'until', about: 'When access ends at the latest', sample: 'November 24, 2026 at 2:32 PM UTC' },
      {
        name: 'link',
        about: "The link to the recipient's sessions",
        sample: 'https://cars.example.com/account/sessions',
      },
    ],
    words: {
      subject: '{{ byName }} {{ what }} your account at {{ title }}',
      mjml: layout({
        body: '<b>{{ byName }}</b> {{ what }} your account <b>{{ userName }}</b> at {{ title }}. Access ends by {{ until }}.',
        action: button('View your sessions'),
        small:
          "All changes are recorded under both names. If you didn't ask for help, end the session there and contact your administrator.",
      }),
      text: `Hello {{ firstName }},

{{ byName }} {{ what }} your account {{ userName }} at {{ title }}. Access ends by {{ until }}. All changes are recorded under both names. If you didn't ask for help, end the session here and contact your administrator:

{{ link }}

{{ title }}`,
    },
  },
  ...DATA_TEMPLATES,
  ...PARTICIPANT_TEMPLATES,
  ...ASSESSMENT_TEMPLATES,
}
