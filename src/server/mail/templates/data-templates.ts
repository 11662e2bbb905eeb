import { button, layout, NAMES, type OwnTemplate } from './template-layout.ts'

const VARIABLES = [
  ...NAMES,
  { name: 'byName', about: 'Who asks', sample: 'Nadia Rahman' },
  { name: 'inventory', about: 'The inventory', sample: 'Carbon 2026' },
  { name: 'organization', about: 'The organization', sample: 'Northgate Ford' },
  { name: 'rows', about: 'How many sources it is about', sample: '2 sources' },
  { name: 'due', about: 'The first day on which one of them is due; may be empty', sample: '12 Dec 2026' },
  {
    name: 'cells',
    about: 'The sources, one on each line',
    sample:
      'Electricity at Showroom, 1 Jan 2026 to 31 Dec 2026, due 12 Dec 2026\nNatural gas at Showroom, 1 Jan 2026 to 31 Dec 2026, due 12 Dec 2026',
  },
  {
    name: 'message',
    about: 'What whoever asks wrote; may be empty',
    sample: 'The bills are with the accountant.',
  },
  {
    name: 'link',
    about: 'The link that opens just these sources',
    sample: 'https://cars.example.com/carbon/emission?inventory=1&tab=activity&request=1',
  },
] as const

const LIST = `</mj-text>
        <mj-text><ul style="margin:0;padding:0 0 0 20px">{% assign lines = cells | split: "\\n" %}{% for line in lines %}<li>{{ line }}</li>{% endfor %}</ul></mj-text>
        {% if message != "" %}<mj-text>{{ byName }} writes: {{ message }}</mj-text>{% endif %}
        <mj-text>The figures are entered here:`
const SMALL = 'You sign in as <b>{{ userName }}</b>.'

const plain = (says: string): string => `Hello {{ firstName }},

${says}

{{ cells }}
{% if message != "" %}
{{ byName }} writes: {{ message }}
{% endif %}
The figures are entered here:

{{ link }}

You sign in as {{ userName }}.

{{ title }}`

const DUE = '{% if due != "" %}, due {{ due }}{% endif %}'
const ASKS = `asks you for the figures of {{ rows }} for {{ inventory }} of {{ organization }}${DUE}.`
const REMINDS = `You were asked for figures for {{ inventory }} of {{ organization }}. Nothing has been entered for {{ rows }} yet${DUE}.`

/** Mails that ask for the figures of sources. */
export const DATA_TEMPLATES: Readonly<Record<'data-request' | 'data-reminder', OwnTemplate>> = {
  'data-request': {
    id: '7',
    title: 'Request for data',
    variables: VARIABLES,
    words: {
      subject: `{{ byName }} asks you for data of {{ rows }}${DUE}`,
      mjml: layout({
        says: `<b>{{ byName }}</b> ${ASKS}${LIST}`,
        act: button('Enter the figures'),
        small: SMALL,
      }),
      text: plain(`{{ byName }} ${ASKS}`),
    },
  },
  'data-reminder': {
    id: '8',
    title: 'Reminder of data',
    variables: VARIABLES,
    words: {
      subject: `Still open: data of {{ rows }}${DUE}`,
      mjml: layout({ says: `${REMINDS}${LIST}`, act: button('Enter the figures'), small: SMALL }),
      text: plain(REMINDS),
    },
  },
}
