import { button, layout, NAMES, type BuiltInTemplate } from './template-layout.ts'

const VARIABLES = [
  ...NAMES,
  { name: 'byName', about: 'Who sends it; empty for a scheduled reminder', sample: 'Priya Raman' },
  { name: 'assessment', about: 'The assessment', sample: 'Dealer site check 2026' },
  { name: 'rows', about: 'The number of sites', sample: '2 sites' },
  { name: 'due', about: 'The earliest due date', sample: 'Nov 30, 2026' },
  {
    name: 'cells',
    about: 'The sites, one per line',
    sample:
      'Northgate Service, 9 of 34 questions answered, due Nov 30, 2026\nStorage lot, 0 of 30 questions answered, due Nov 30, 2026',
  },
  {
    name: 'message',
    about: 'The message from the sender; can be empty',
    sample: 'Call me if you have questions.',
  },
  {
    name: 'link',
    about: 'The link that opens the assessment',
    sample: 'https://cars.example.com/assessments/1',
  },
] as const

const BODY = 'Answers to {{ assessment }} are still missing for {{ rows }}, due {{ due }}.'

const DELEGATED = '{{ byName }} asks you to answer part of {{ assessment }} for {{ rows }} by {{ due }}.'

const OPENED = '{{ byName }} asks you to answer {{ assessment }} for {{ rows }} by {{ due }}.'

/** What some variables mean in the email about delegated questions. */
const DELEGATION: Readonly<Record<string, BuiltInTemplate['variables'][number]>> = {
  byName: { name: 'byName', about: 'Who delegated them', sample: 'Priya Raman' },
  rows: { name: 'rows', about: 'The site', sample: 'Northgate Service' },
  due: { name: 'due', about: 'The due date', sample: 'Nov 30, 2026' },
  cells: { name: 'cells', about: 'What to answer', sample: 'The section “Energy and refrigerants”' },
  link: {
    name: 'link',
    about: 'The link that opens the questions',
    sample: 'https://cars.example.com/assessments/1/targets/2',
  },
}

/** Emails to users who answer an assessment. */
export const ASSESSMENT_TEMPLATES: Readonly<
  Record<'assessment-reminder' | 'assessment-opened' | 'assessment-delegation', BuiltInTemplate>
> = {
  'assessment-delegation': {
    id: '25',
    title: 'Questions delegated',
    variables: VARIABLES.filter(({ name }) => name !== 'message').map((one) => DELEGATION[one.name] ?? one),
    words: {
      subject: '{{ assessment }}: please answer a part for {{ rows }}',
      mjml: layout({
        body: `${DELEGATED}</mj-text>
        <mj-text>{{ cells }}</mj-text>
        <mj-text>Other questions are answered by someone else.`,
        action: button('Open the questions'),
        small: 'Sign in as <b>{{ userName }}</b>.',
      }),
      text: `Hello {{ firstName }},

${DELEGATED}

{{ cells }}

Other questions are answered by someone else.

{{ link }}

Sign in as {{ userName }}.

{{ title }}`,
    },
  },
  'assessment-opened': {
    id: '24',
    title: 'Assessment opened',
    variables: VARIABLES.filter(({ name }) => name !== 'message'),
    words: {
      subject: '{{ assessment }}: please answer by {{ due }}',
      mjml: layout({
        body: `${OPENED}</mj-text>
        <mj-text><ul style="margin:0;padding:0 0 0 20px">{% assign lines = cells | split: "\\n" %}{% for line in lines %}<li>{{ line }}</li>{% endfor %}</ul></mj-text>
        <mj-text>Answer the questions here:`,
        action: button('Open the assessment'),
        small: 'Sign in as <b>{{ userName }}</b>.',
      }),
      text: `Hello {{ firstName }},

${OPENED}

{{ cells }}

Answer the questions here:

{{ link }}

Sign in as {{ userName }}.

{{ title }}`,
    },
  },
  'assessment-reminder': {
    id: '23',
    title: 'Assessment reminder',
    variables: VARIABLES,
    words: {
      subject: 'Reminder: {{ assessment }}, due {{ due }}',
      mjml: layout({
        body: `${BODY}</mj-text>
        <mj-text><ul style="margin:0;padding:0 0 0 20px">{% assign lines = cells | split: "\\n" %}{% for line in lines %}<li>{{ line }}</li>{% endfor %}</ul></mj-text>
        {% if message != "" %}<mj-text>{{ byName }} wrote: {{ message }}</mj-text>{% endif %}
        <mj-text>Answer the questions here:`,
        action: button('Open the assessment'),
        small: 'Sign in as <b>{{ userName }}</b>.',
      }),
      text: `Hello {{ firstName }},

${BODY}

{{ cells }}
{% if message != "" %}
{{ byName }} wrote: {{ message }}
{% endif %}
Answer the questions here:

{{ link }}

Sign in as {{ userName }}.

{{ title }}`,
    },
  },
}
