import type { ParticipantLanguage } from '#contract/participants/invitations/participants.ts'
import type { TemplateTexts } from '#contract/mail/templates/templates.ts'
import { button, layout, type BuiltInTemplate } from './template-layout.ts'

const VARIABLES = [
  { name: 'firstName', about: "The recipient's first name", sample: 'Tom' },
  { name: 'fullName', about: "The recipient's full name", sample: 'Tom Becker' },
  { name: 'title', about: 'The product name on your domain', sample: 'Northgate Cars' },
  { name: 'byName', about: 'Who sends the invitation', sample: 'Priya Raman' },
  { name: 'assessment', about: 'The assessment', sample: 'Dealer site check 2026' },
  { name: 'target', about: 'The facility or organization it is about', sample: 'Body and Paint' },
  { name: 'due', about: 'The due date', sample: 'Nov 30, 2026' },
  { name: 'until', about: 'The last day on which the link works', sample: 'Dec 30, 2026' },
  {
    name: 'message',
    about: 'The message from the sender; can be empty',
    sample: 'Call me if you have questions.',
  },
  {
    name: 'link',
    about: 'The link to the questions',
    sample: 'https://cars.example.com/participants#sample',
  },
] as const

/** The sentences of an email in one language. */
type Parts = {
  subject: string
  greeting: string
  /** Without its last period in the HTML, the names are bold. */
  body: string
  writes: string
  action: string
  small: string
}

function words({ subject, greeting, body, writes, action, small }: Parts): TemplateTexts {
  const bold = body.replace('{{ byName }}', '<b>{{ byName }}</b>')
  return {
    subject,
    mjml: layout({
      greeting,
      body: `${bold}{% if message != "" %}</mj-text><mj-text>${writes}: {{ message }}{% endif %}`,
      action: button(action),
      small,
    }),
    text: `${greeting}

${body}
{% if message != "" %}
${writes}: {{ message }}
{% endif %}
${action}:

{{ link }}

${small}

{{ title }}`,
  }
}

/** What an email says besides what is common to all. `small`: about the link. */
type MailTexts = Pick<Parts, 'subject' | 'body'> & Partial<Pick<Parts, 'small'>>

const COMMON: Readonly<Record<ParticipantLanguage, Omit<Parts, 'subject' | 'body'>>> = {
  en: {
    greeting: 'Hello {{ firstName }},',
    writes: '{{ byName }} wrote',
    action: 'Open the questions',
    small:
      "This link is yours alone: don't forward it. It works until you submit your answers, and until {{ until }} at the latest.",
  },
  es: {
    greeting: 'Hola, {{ firstName }}:',
    writes: '{{ byName }} escribe',
    action: 'Abrir las preguntas',
    small:
      'Este enlace es solo para usted: no lo reenvíe. Funciona hasta que envíe sus respuestas y, como máximo, hasta el {{ until }}.',
  },
  fr: {
    greeting: 'Bonjour {{ firstName }},',
    writes: '{{ byName }} écrit',
    action: 'Ouvrir les questions',
    small:
      'Ce lien vous est réservé : ne le transférez pas. Il fonctionne jusqu’à l’envoi de vos réponses, et au plus tard jusqu’au {{ until }}.',
  },
  de: {
    greeting: 'Guten Tag {{ firstName }},',
    writes: '{{ byName }} schreibt',
    action: 'Fragen öffnen',
    small:
      'Dieser Link ist nur für Sie: Leiten Sie ihn nicht weiter. Er funktioniert, bis Sie Ihre Antworten abgeben, längstens bis {{ until }}.',
  },
}

function template(
  id: string,
  title: string,
  texts: Readonly<Record<ParticipantLanguage, MailTexts>>,
): BuiltInTemplate {
  const inLanguage = (language: ParticipantLanguage) => words({ ...COMMON[language], ...texts[language] })
  return {
    id,
    title,
    variables: VARIABLES,
    words: inLanguage('en'),
    translations: { es: inLanguage('es'), fr: inLanguage('fr'), de: inLanguage('de') },
  }
}

/** Emails to people who answer an assessment without an account. */
export const PARTICIPANT_TEMPLATES: Readonly<
  Record<
    'assessment-invitation' | 'assessment-changes' | 'assessment-reopened' | 'assessment-missing',
    BuiltInTemplate
  >
> = {
  'assessment-invitation': template('21', 'Assessment invitation', {
    en: {
      subject: '{{ byName }} asks you to answer {{ assessment }}, due {{ due }}',
      body: "{{ byName }} asks you to answer questions of {{ assessment }} for {{ target }} by {{ due }}. You don't need an account.",
      small:
        "This link is yours alone: don't forward it. It works until you submit your answers, and until {{ until }} at the latest. If you weren't expecting this email, you can ignore it.",
    },
    es: {
      subject: '{{ byName }} le pide que responda a {{ assessment }}, antes del {{ due }}',
      body: '{{ byName }} le pide que responda a las preguntas de {{ assessment }} sobre {{ target }} antes del {{ due }}. No necesita una cuenta.',
      small:
        'Este enlace es solo para usted: no lo reenvíe. Funciona hasta que envíe sus respuestas y, como máximo, hasta el {{ until }}. Si no esperaba este correo, puede ignorarlo.',
    },
    fr: {
      subject: '{{ byName }} vous invite à répondre à {{ assessment }}, avant le {{ due }}',
      body: '{{ byName }} vous invite à répondre aux questions de {{ assessment }} pour {{ target }} avant le {{ due }}. Vous n’avez pas besoin de compte.',
      small:
        'Ce lien vous est réservé : ne le transférez pas. Il fonctionne jusqu’à l’envoi de vos réponses, et au plus tard jusqu’au {{ until }}. Si vous n’attendiez pas ce message, vous pouvez l’ignorer.',
    },
    de: {
      subject: '{{ byName }} bittet Sie um Antworten zu {{ assessment }}, fällig am {{ due }}',
      body: '{{ byName }} bittet Sie, bis {{ due }} Fragen zu {{ assessment }} für {{ target }} zu beantworten. Sie brauchen dafür kein Konto.',
      small:
        'Dieser Link ist nur für Sie: Leiten Sie ihn nicht weiter. Er funktioniert, bis Sie Ihre Antworten abgeben, längstens bis {{ until }}. Wenn Sie diese Nachricht nicht erwartet haben, können Sie sie ignorieren.',
    },
  }),
  'assessment-changes': template('22', 'Assessment changes requested', {
    en: {
      subject: '{{ byName }} asks for changes to {{ assessment }}',
      body: '{{ byName }} read the answers to {{ assessment }} for {{ target }} and asks for changes. Only the marked questions can be changed.',
    },
    es: {
      subject: '{{ byName }} pide cambios en {{ assessment }}',
      body: '{{ byName }} ha leído las respuestas a {{ assessment }} sobre {{ target }} y pide cambios. Solo se pueden cambiar las preguntas marcadas.',
    },
    fr: {
      subject: '{{ byName }} demande des modifications de {{ assessment }}',
      body: '{{ byName }} a lu les réponses à {{ assessment }} pour {{ target }} et demande des modifications. Seules les questions signalées peuvent être modifiées.',
    },
    de: {
      subject: '{{ byName }} bittet um Änderungen zu {{ assessment }}',
      body: '{{ byName }} hat die Antworten zu {{ assessment }} für {{ target }} gelesen und bittet um Änderungen. Nur die markierten Fragen können geändert werden.',
    },
  }),
  'assessment-reopened': template('26', 'Assessment reopened', {
    en: {
      subject: '{{ byName }} opened {{ assessment }} again',
      body: '{{ byName }} opened the answers to {{ assessment }} for {{ target }} again. All of them can be changed, and they must be submitted again by {{ due }}.',
    },
    es: {
      subject: '{{ byName }} ha vuelto a abrir {{ assessment }}',
      body: '{{ byName }} ha vuelto a abrir las respuestas a {{ assessment }} sobre {{ target }}. Se pueden cambiar todas y hay que enviarlas de nuevo antes del {{ due }}.',
    },
    fr: {
      subject: '{{ byName }} a rouvert {{ assessment }}',
      body: '{{ byName }} a rouvert les réponses à {{ assessment }} pour {{ target }}. Toutes peuvent être modifiées, et elles doivent être envoyées à nouveau avant le {{ due }}.',
    },
    de: {
      subject: '{{ byName }} hat {{ assessment }} wieder geöffnet',
      body: '{{ byName }} hat die Antworten zu {{ assessment }} für {{ target }} wieder geöffnet. Alle können geändert werden und müssen bis {{ due }} noch einmal abgegeben werden.',
    },
  }),
  'assessment-missing': template('27', 'Reminder to people without an account', {
    en: {
      subject: 'Reminder: {{ assessment }}, due {{ due }}',
      body: '{{ byName }} reminds you that answers to {{ assessment }} for {{ target }} are missing. They are due {{ due }}.',
      small:
        "This link is yours alone: don't forward it. It works until you submit your answers, and until {{ until }} at the latest. The link you already have works, too.",
    },
    es: {
      subject: 'Recordatorio: {{ assessment }}, antes del {{ due }}',
      body: '{{ byName }} le recuerda que faltan respuestas a {{ assessment }} sobre {{ target }}. El plazo termina el {{ due }}.',
      small:
        'Este enlace es solo para usted: no lo reenvíe. Funciona hasta que envíe sus respuestas y, como máximo, hasta el {{ until }}. El enlace que ya tiene también funciona.',
    },
    fr: {
      subject: 'Rappel : {{ assessment }}, avant le {{ due }}',
      body: '{{ byName }} vous rappelle que des réponses à {{ assessment }} pour {{ target }} manquent encore. Elles sont attendues avant le {{ due }}.',
      small:
        'Ce lien vous est réservé : ne le transférez pas. Il fonctionne jusqu’à l’envoi de vos réponses, et au plus tard jusqu’au {{ until }}. Le lien que vous avez déjà fonctionne aussi.',
    },
    de: {
      subject: 'Erinnerung: {{ assessment }}, fällig am {{ due }}',
      body: '{{ byName }} erinnert Sie daran, dass Antworten zu {{ assessment }} für {{ target }} fehlen. Sie sind am {{ due }} fällig.',
      small:
        'Dieser Link ist nur für Sie: Leiten Sie ihn nicht weiter. Er funktioniert, bis Sie Ihre Antworten abgeben, längstens bis {{ until }}. Der Link, den Sie schon haben, funktioniert auch.',
    },
  }),
}
