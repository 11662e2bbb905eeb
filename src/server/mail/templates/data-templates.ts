import { button, layout, NAMES, type BuiltInTemplate } from './template-layout.ts'

const VARIABLES = [
  ...NAMES,
  { name: 'byName', about: 'Who requests the data', sample: 'Nadia Rahman' },
  { name: 'inventory', about: 'The inventory', sample: 'Carbon 2026' },
  { name: 'organization', about: 'The organization', sample: 'Northgate Ford' },
  { name: 'rows', about: 'The number of sources', sample: '2 sources' },
  { name: 'due', about: 'The earliest due date; can be empty', sample: 'Dec 12, 2026' },
  {
    name: 'cells',
    about: 'The sources, one per line',
    sample:
      'Electricity at Showroom, Jan 1, 2026 to Dec 31, 2026, due Dec 12, 2026\nNatural gas at Showroom, Jan 1, 2026 to Dec 31, 2026, due Dec 12, 2026',
  },
  {
    name: 'message',
    about: 'The message from the requester; can be empty',
    sample: 'The bills are with the accountant.',
  },
  {
    name: 'link',
    about: 'The link that opens these sources',
    sample: 'https://cars.example.com/carbon/emission?inventory=1&tab=activity&request=1',
  },
] as const

const LIST = `</mj-text>
        <mj-text><ul style="margin:0;padding:0 0 0 20px">{% assign lines = cells | split: "\\n" %}{% for line in lines %}<li>{{ line }}</li>{% endfor %}</ul></mj-text>
        {% if message != "" %}<mj-text>{{ byName }} wrote: {{ message }}</mj-text>{% endif %}
        <mj-text>Enter the data here:`
const SMALL = 'Sign in as <b>{{ userName }}</b>.'

const plain = (body: string): string => `Hello {{ firstName }},

${body}

{{ cells }}
{% if message != "" %}
{{ byName }} wrote: {{ message }}
{% endif %}
Enter the data here:

{{ link }}

Sign in as {{ userName }}.

{{ title }}`

const DUE = '{% if due != "" %}, due {{ due }}{% endif %}'
const ASKS = `requests data for {{ rows }} in {{ inventory }} ({{ organization }})${DUE}.`
const REMINDS = `Data for {{ rows }} in {{ inventory }} ({{ organization }}) is still missing${DUE}.`

const REOPENING_VARIABLES = [
  ...NAMES,
  { name: 'byName', about: 'Who asks for it', sample: 'Nadia Rahman' },
  {
    name: 'name',
    about: 'What they ask to open: an inventory, or the answers of a site',
    sample: 'Carbon 2025',
  },
  { name: 'organization', about: 'The organization', sample: 'Northgate Ford' },
  { name: 'what', about: 'What they ask for: unlock, or reopen', sample: 'unlock' },
  { name: 'message', about: 'The reason', sample: 'The July bill of the paint shop was credited.' },
  {
    name: 'link',
    about: 'The link that opens the inventory, or the answers',
    sample: 'https://cars.example.com/carbon/start?inventory=1',
  },
] as const
const OPENS =
  'asks to {{ what }} {{ name }} ({{ organization }}), which two people approved. A second person must confirm it.'

const OPENED =
  '{% if decision == "confirmed" %}{% if what == "unlock" %}It is approved and no longer locked: to change it, reopen it.{% else %}It is open now.{% endif %}{% else %}It stays as it is.{% endif %} What was approved stays stored.'

/** Emails that request activity data for sources, and those about opening what two people approved. */
export const DATA_TEMPLATES: Readonly<
  Record<'data-request' | 'data-reminder' | 'reopening-request' | 'reopening-decision', BuiltInTemplate>
> = {
  'data-request': {
    id: '7',
    title: 'Data request',
    variables: VARIABLES,
    words: {
      subject: `{{ byName }} requests data for {{ rows }}${DUE}`,
      mjml: layout({
        body: `<b>{{ byName }}</b> ${ASKS}${LIST}`,
        action: button('Enter data'),
        small: SMALL,
      }),
      text: plain(`{{ byName }} ${ASKS}`),
    },
  },
  'data-reminder': {
    id: '8',
    title: 'Data request reminder',
    variables: VARIABLES,
    words: {
      subject: `Reminder: data requested for {{ rows }}${DUE}`,
      mjml: layout({ body: `${REMINDS}${LIST}`, action: button('Enter data'), small: SMALL }),
      text: plain(REMINDS),
    },
  },
  'reopening-request': {
    id: '28',
    title: 'Request to unlock or reopen',
    variables: REOPENING_VARIABLES,
    words: {
      subject: '{{ byName }} asks to {{ what }} {{ name }}',
      mjml: layout({
        body: `<b>{{ byName }}</b> ${OPENS}</mj-text>
        <mj-text>Reason: {{ message }}</mj-text>
        <mj-text>Confirm or decline it here:`,
        action: button('Open the request'),
        small: SMALL,
      }),
      text: `Hello {{ firstName }},

{{ byName }} ${OPENS}

Reason: {{ message }}

Confirm or decline it here:

{{ link }}

Sign in as {{ userName }}.

{{ title }}`,
    },
  },
  'reopening-decision': {
    id: '29',
    title: 'Decision about unlocking or reopening',
    variables: [
      ...REOPENING_VARIABLES.filter(({ name }) => name !== 'byName' && name !== 'message'),
      { name: 'byName', about: 'Who decided', sample: 'Nadia Rahman' },
      { name: 'decision', about: 'What they did: confirmed, or declined', sample: 'confirmed' },
      { name: 'message', about: 'Their words', sample: 'The credit note came in September.' },
    ],
    words: {
      subject: '{{ byName }} {{ decision }} your request to {{ what }} {{ name }}',
      mjml: layout({
        body: `<b>{{ byName }}</b> {{ decision }} your request to {{ what }} {{ name }} ({{ organization }}).</mj-text>
        <mj-text>{{ byName }} wrote: {{ message }}</mj-text>
        <mj-text>${OPENED}`,
        action: button('Open it'),
        small: SMALL,
      }),
      text: `Hello {{ firstName }},

{{ byName }} {{ decision }} your request to {{ what }} {{ name }} ({{ organization }}).

{{ byName }} wrote: {{ message }}

${OPENED}

{{ link }}

Sign in as {{ userName }}.

{{ title }}`,
    },
  },
}
