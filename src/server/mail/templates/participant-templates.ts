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

/** Emails to people who answer an assessment without an account. */
export const PARTICIPANT_TEMPLATES: Readonly<
  Record<
    'assessment-invitation' | 'assessment-changes' | 'assessment-reopened' | 'assessment-missing',
    BuiltInTemplate
  >
> = {
  'assessment-invitation': {
    id: '21',
    title: 'Assessment invitation',
    variables: VARIABLES,
    words: words({
      subject: '{{ byName }} asks you to answer {{ assessment }}, due {{ due }}',
      greeting: 'Hello {{ firstName }},',
      body: "{{ byName }} asks you to answer questions of {{ assessment }} for {{ target }} by {{ due }}. You don't need an account.",
      writes: '{{ byName }} wrote',
      action: 'Open the questions',
      small:
        "This link is yours alone: don't forward it. It works until you submit your answers, and until {{ until }} at the latest. If you weren't expecting this email, you can ignore it.",
    }),
    translations: {
      es: words({
        subject: '{{ byName }} le pide que responda a {{ assessment }}, antes del {{ due }}',
        greeting: 'Hola, {{ firstName }}:',
        body: '{{ byName }} le pide que responda a las preguntas de {{ assessment }} sobre {{ target }} antes del {{ due }}. No necesita una cuenta.',
        writes: '{{ byName }} escribe',
        action: 'Abrir las preguntas',
        small:
          'Este enlace es solo para usted: no lo reenvíe. Funciona hasta que envíe sus respuestas y, como máximo, hasta el {{ until }}. Si no esperaba este correo, puede ignorarlo.',
      }),
      fr: words({
        subject: '{{ byName }} vous invite à répondre à {{ assessment }}, avant le {{ due }}',
        greeting: 'Bonjour {{ firstName }},',
        body: '{{ byName }} vous invite à répondre aux questions de {{ assessment }} pour {{ target }} avant le {{ due }}. Vous n’avez pas besoin de compte.',
        writes: '{{ byName }} écrit',
        action: 'Ouvrir les questions',
        small:
          'Ce lien vous est réservé : ne le transférez pas. Il fonctionne jusqu’à l’envoi de vos réponses, et au plus tard jusqu’au {{ until }}. Si vous n’attendiez pas ce message, vous pouvez l’ignorer.',
      }),
      de: words({
        subject: '{{ byName }} bittet Sie um Antworten zu {{ assessment }}, fällig am {{ due }}',
        greeting: 'Guten Tag {{ firstName }},',
        body: '{{ byName }} bittet Sie, bis {{ due }} Fragen zu {{ assessment }} für {{ target }} zu beantworten. Sie brauchen dafür kein Konto.',
        writes: '{{ byName }} schreibt',
        action: 'Fragen öffnen',
        small:
          'Dieser Link ist nur für Sie: Leiten Sie ihn nicht weiter. Er funktioniert, bis Sie Ihre Antworten abgeben, längstens bis {{ until }}. Wenn Sie diese Nachricht nicht erwartet haben, können Sie sie ignorieren.',
      }),
    },
  },
  'assessment-changes': {
    id: '22',
    title: 'Assessment changes requested',
    variables: VARIABLES,
    words: words({
      subject: '{{ byName }} asks for changes to {{ assessment }}',
      greeting: 'Hello {{ firstName }},',
      body: '{{ byName }} read the answers to {{ assessment }} for {{ target }} and asks for changes. Only the marked questions can be changed.',
      writes: '{{ byName }} wrote',
      action: 'Open the questions',
      small:
        "This link is yours alone: don't forward it. It works until you submit your answers, and until {{ until }} at the latest.",
    }),
    translations: {
      es: words({
        subject: '{{ byName }} pide cambios en {{ assessment }}',
        greeting: 'Hola, {{ firstName }}:',
        body: '{{ byName }} ha leído las respuestas a {{ assessment }} sobre {{ target }} y pide cambios. Solo se pueden cambiar las preguntas marcadas.',
        writes: '{{ byName }} escribe',
        action: 'Abrir las preguntas',
        small:
          'Este enlace es solo para usted: no lo reenvíe. Funciona hasta que envíe sus respuestas y, como máximo, hasta el {{ until }}.',
      }),
      fr: words({
        subject: '{{ byName }} demande des modifications de {{ assessment }}',
        greeting: 'Bonjour {{ firstName }},',
        body: '{{ byName }} a lu les réponses à {{ assessment }} pour {{ target }} et demande des modifications. Seules les questions signalées peuvent être modifiées.',
        writes: '{{ byName }} écrit',
        action: 'Ouvrir les questions',
        small:
          'Ce lien vous est réservé : ne le transférez pas. Il fonctionne jusqu’à l’envoi de vos réponses, et au plus tard jusqu’au {{ until }}.',
      }),
      de: words({
        subject: '{{ byName }} bittet um Änderungen zu {{ assessment }}',
        greeting: 'Guten Tag {{ firstName }},',
        body: '{{ byName }} hat die Antworten zu {{ assessment }} für {{ target }} gelesen und bittet um Änderungen. Nur die markierten Fragen können geändert werden.',
        writes: '{{ byName }} schreibt',
        action: 'Fragen öffnen',
        small:
          'Dieser Link ist nur für Sie: Leiten Sie ihn nicht weiter. Er funktioniert, bis Sie Ihre Antworten abgeben, längstens bis {{ until }}.',
      }),
    },
  },
  'assessment-reopened': {
    id: '26',
    title: 'Assessment reopened',
    variables: VARIABLES,
    words: words({
      subject: '{{ byName }} opened {{ assessment }} again',
      greeting: 'Hello {{ firstName }},',
      body: '{{ byName }} opened the answers to {{ assessment }} for {{ target }} again. All of them can be changed, and they must be submitted again by {{ due }}.',
      writes: '{{ byName }} wrote',
      action: 'Open the questions',
      small:
        "This link is yours alone: don't forward it. It works until you submit your answers, and until {{ until }} at the latest.",
    }),
    translations: {
      es: words({
        subject: '{{ byName }} ha vuelto a abrir {{ assessment }}',
        greeting: 'Hola, {{ firstName }}:',
        body: '{{ byName }} ha vuelto a abrir las respuestas a {{ assessment }} sobre {{ target }}. Se pueden cambiar todas y hay que enviarlas de nuevo antes del {{ due }}.',
        writes: '{{ byName }} escribe',
        action: 'Abrir las preguntas',
        small:
          'Este enlace es solo para usted: no lo reenvíe. Funciona hasta que envíe sus respuestas y, como máximo, hasta el {{ until }}.',
      }),
      fr: words({
        subject: '{{ byName }} a rouvert {{ assessment }}',
        greeting: 'Bonjour {{ firstName }},',
        body: '{{ byName }} a rouvert les réponses à {{ assessment }} pour {{ target }}. Toutes peuvent être modifiées, et elles doivent être envoyées à nouveau avant le {{ due }}.',
        writes: '{{ byName }} écrit',
        action: 'Ouvrir les questions',
        small:
          'Ce lien vous est réservé : ne le transférez pas. Il fonctionne jusqu’à l’envoi de vos réponses, et au plus tard jusqu’au {{ until }}.',
      }),
      de: words({
        subject: '{{ byName }} hat {{ assessment }} wieder geöffnet',
        greeting: 'Guten Tag {{ firstName }},',
        body: '{{ byName }} hat die Antworten zu {{ assessment }} für {{ target }} wieder geöffnet. Alle können geändert werden und müssen bis {{ due }} noch einmal abgegeben werden.',
        writes: '{{ byName }} schreibt',
        action: 'Fragen öffnen',
        small:
          'Dieser Link ist nur für Sie: Leiten Sie ihn nicht weiter. Er funktioniert, bis Sie Ihre Antworten abgeben, längstens bis {{ until }}.',
      }),
    },
  },
  'assessment-missing': {
    id: '27',
    title: 'Reminder to people without an account',
    variables: VARIABLES,
    words: words({
      subject: 'Reminder: {{ assessment }}, due {{ due }}',
      greeting: 'Hello {{ firstName }},',
      body: '{{ byName }} reminds you that answers to {{ assessment }} for {{ target }} are missing. They are due {{ due }}.',
      writes: '{{ byName }} wrote',
      action: 'Open the questions',
      small:
        "This link is yours alone: don't forward it. It works until you submit your answers, and until {{ until }} at the latest. The link you already have works, too.",
    }),
    translations: {
      es: words({
        subject: 'Recordatorio: {{ assessment }}, antes del {{ due }}',
        greeting: 'Hola, {{ firstName }}:',
        body: '{{ byName }} le recuerda que faltan respuestas a {{ assessment }} sobre {{ target }}. El plazo termina el {{ due }}.',
        writes: '{{ byName }} escribe',
        action: 'Abrir las preguntas',
        small:
          'Este enlace es solo para usted: no lo reenvíe. Funciona hasta que envíe sus respuestas y, como máximo, hasta el {{ until }}. El enlace que ya tiene también funciona.',
      }),
      fr: words({
        subject: 'Rappel : {{ assessment }}, avant le {{ due }}',
        greeting: 'Bonjour {{ firstName }},',
        body: '{{ byName }} vous rappelle que des réponses à {{ assessment }} pour {{ target }} manquent encore. Elles sont attendues avant le {{ due }}.',
        writes: '{{ byName }} écrit',
        action: 'Ouvrir les questions',
        small:
          'Ce lien vous est réservé : ne le transférez pas. Il fonctionne jusqu’à l’envoi de vos réponses, et au plus tard jusqu’au {{ until }}. Le lien que vous avez déjà fonctionne aussi.',
      }),
      de: words({
        subject: 'Erinnerung: {{ assessment }}, fällig am {{ due }}',
        greeting: 'Guten Tag {{ firstName }},',
        body: '{{ byName }} erinnert Sie daran, dass Antworten zu {{ assessment }} für {{ target }} fehlen. Sie sind am {{ due }} fällig.',
        writes: '{{ byName }} schreibt',
        action: 'Fragen öffnen',
        small:
          'Dieser Link ist nur für Sie: Leiten Sie ihn nicht weiter. Er funktioniert, bis Sie Ihre Antworten abgeben, längstens bis {{ until }}. Der Link, den Sie schon haben, funktioniert auch.',
      }),
    },
  },
}
