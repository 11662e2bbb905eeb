// The texts of forms and of the pages around them, in the languages that problem messages have. What the dealer writes is
// translated by the dealer.

const ENGLISH = {
  skip: 'Skip to content',
  vehicles: 'Vehicles',
  languages: 'Language',
  optional: '(optional)',
  otherAnswer: 'Other: {n}',
  unknownYet: 'Not known yet',
  moreRows: 'Add rows',
  files: 'Up to {n}.',
  filesMost: '{n} files',
  oneFile: 'one file',
  largest: 'At most {n} MB each.',
  keptFiles: 'Files you have added',
  trap: 'Leave this empty',
  private: 'Nothing is sent until you press the button.',
  lastStep: 'The dealer has your earlier steps. Nothing of this step is sent until you press the button.',
  send: 'Send',
  next: 'Continue',
  savedStep:
    'Nothing is sent until you press the button. It saves this step with the dealer. Your request is sent with the last step.',
  followedUpStep:
    "Nothing is sent until you press the button. It sends what you have entered so far to the dealer, who may contact you about it even if you don't finish.",
  followedUpIfAgreed:
    "Nothing is sent until you press the button. It sends what you have entered so far to the dealer. If you agree to be contacted, the dealer may contact you about it even if you don't finish.",
  step: 'Step {n} of {m}',
  checkOne: 'Please check one answer',
  checkMany: 'Please check {n} answers',
  check: 'Please check: {n}',
  addedOne: 'Please answer one more question',
  addedMany: 'Please answer {n} more questions',
  appeared: 'New question: {n}',
  disappeared: 'No longer asked: {n}',
  row: 'row {n}',
  test: "This is a test. What you send is marked as a test and isn't counted.",
  testEnded: 'The time of this test link is over. What you send now is a real request.',
  about: 'About the',
  closed: '"{n}" is closed',
  closedText: 'This form is closed.',
  call: 'Please call {n} instead.',
  typed: 'What you typed',
  allVehicles: 'See all vehicles',
  back: 'Back to the vehicle',
  backToPage: 'Back to the page',
  sending: 'Sending…',
  offline: 'No connection. Your answers are kept on this page and will be sent when the connection is back.',
  away: 'Please try again in a minute',
  awayText: "This page can't be shown right now. Nothing is wrong with your connection.",
  siteClosed: 'This website is not available',
  siteClosedText: 'The store has closed this website for now. Please call it instead.',
  full: "This can't be stored right now",
  fullText: 'There is no space left on our side. Please call us, or try again later.',
  notSent: 'Not sent yet',
  notSentText:
    "We couldn't store what you sent. It is kept on this page: wait a minute, then press the button.",
  filesAgain:
    "Your files can't be kept on this page. To send them, use your browser's Back button, add them again and send the form.",
  sendAgain: 'Send again',
  waiting:
    "We can't receive forms at this moment. Your answers are kept on this page and will be sent again automatically.",
  received: 'Received',
  receivedText: 'We have received your message.',
  busy: 'Please wait',
  busyText: 'Too many requests came from your network. Try again in {n}.',
  failed: 'Your form could not be sent. Please try again.',
  late: 'This took too long',
  lateText: 'The form did not arrive in time. Please send it again.',
  tooLarge: 'This file is too large: at most {n} MB.',
} as const

type Key = keyof typeof ENGLISH
type Texts = Readonly<Record<Key, string>>

// The translations address visitors formally.

const SPANISH: Texts = {
  skip: 'Ir al contenido',
  vehicles: 'Vehículos',
  languages: 'Idioma',
  optional: '(opcional)',
  otherAnswer: 'Otra: {n}',
  unknownYet: 'Aún no se conoce',
  moreRows: 'Añadir filas',
  files: 'Hasta {n}.',
  filesMost: '{n} archivos',
  oneFile: 'un archivo',
  largest: 'Como máximo {n} MB cada uno.',
  keptFiles: 'Archivos añadidos',
  trap: 'Deje esto vacío',
  private: 'No se envía nada antes de que pulse el botón.',
  lastStep:
    'El concesionario ya tiene los pasos anteriores. De este paso no se envía nada antes de que pulse el botón.',
  send: 'Enviar',
  next: 'Continuar',
  savedStep:
    'No se envía nada antes de que pulse el botón. El botón guarda este paso en el concesionario. Su solicitud se envía con el último paso.',
  followedUpStep:
    'No se envía nada antes de que pulse el botón. El botón envía lo que ha escrito hasta ahora al concesionario, que puede ponerse en contacto con usted aunque no termine.',
  followedUpIfAgreed:
    'No se envía nada antes de que pulse el botón. El botón envía lo que ha escrito hasta ahora al concesionario. Si acepta que le contacten, puede ponerse en contacto con usted aunque no termine.',
  step: 'Paso {n} de {m}',
  checkOne: 'Revise una respuesta',
  checkMany: 'Revise {n} respuestas',
  check: 'Revise: {n}',
  addedOne: 'Responda una pregunta más',
  addedMany: 'Responda {n} preguntas más',
  appeared: 'Nueva pregunta: {n}',
  disappeared: 'Ya no se pregunta: {n}',
  row: 'fila {n}',
  test: 'Esto es una prueba. Lo que envíe se marca como prueba y no se cuenta.',
  testEnded: 'Este enlace de prueba ha caducado. Lo que envíe ahora es una solicitud real.',
  about: 'Sobre el vehículo',
  closed: '"{n}" está cerrado',
  closedText: 'Este formulario está cerrado.',
  call: 'Llame al {n}.',
  typed: 'Lo que escribió',
  allVehicles: 'Ver todos los vehículos',
  back: 'Volver al vehículo',
  backToPage: 'Volver a la página',
  sending: 'Enviando…',
  offline:
    'Sin conexión. Sus respuestas se conservan en esta página y se enviarán en cuanto vuelva la conexión.',
  away: 'Inténtelo de nuevo en un minuto',
  awayText: 'Esta página no se puede mostrar en este momento. Su conexión funciona.',
  siteClosed: 'Este sitio no está disponible',
  siteClosedText: 'El concesionario ha cerrado este sitio por ahora. Llámelo por teléfono.',
  full: 'Esto no se puede guardar en este momento',
  fullText: 'No nos queda espacio. Llámenos o inténtelo más tarde.',
  notSent: 'Todavía no se ha enviado',
  notSentText:
    'No hemos podido guardar lo que envió. Se conserva en esta página: espere un minuto y pulse el botón.',
  filesAgain:
    'Sus archivos no se conservan en esta página. Para enviarlos, vuelva atrás en su navegador, añádalos otra vez y envíe el formulario.',
  sendAgain: 'Enviar de nuevo',
  waiting:
    'En este momento no podemos recibir formularios. Sus respuestas se conservan en esta página y se enviarán de nuevo automáticamente.',
  received: 'Recibido',
  receivedText: 'Hemos recibido su mensaje.',
  busy: 'Espere, por favor',
  busyText: 'Hay demasiadas solicitudes de su red. Inténtelo de nuevo en {n}.',
  failed: 'No se ha podido enviar el formulario. Inténtelo de nuevo.',
  late: 'Ha tardado demasiado',
  lateText: 'El formulario no llegó a tiempo. Envíelo de nuevo.',
  tooLarge: 'Este archivo es demasiado grande: como máximo {n} MB.',
}

const FRENCH: Texts = {
  skip: 'Aller au contenu',
  vehicles: 'Véhicules',
  languages: 'Langue',
  optional: '(facultatif)',
  otherAnswer: 'Autre : {n}',
  unknownYet: 'Pas encore connu',
  moreRows: 'Ajouter des lignes',
  files: 'Jusqu’à {n}.',
  filesMost: '{n} fichiers',
  oneFile: 'un fichier',
  largest: '{n} Mo au maximum par fichier.',
  keptFiles: 'Fichiers ajoutés',
  trap: 'Laissez ce champ vide',
  private: 'Rien n’est envoyé avant que vous n’appuyiez sur le bouton.',
  lastStep:
    'Le concessionnaire a déjà vos étapes précédentes. Rien de cette étape n’est envoyé avant que vous n’appuyiez sur le bouton.',
  send: 'Envoyer',
  next: 'Continuer',
  savedStep:
    'Rien n’est envoyé avant que vous n’appuyiez sur le bouton. Il enregistre cette étape chez le concessionnaire. Votre demande est envoyée à la dernière étape.',
  followedUpStep:
    'Rien n’est envoyé avant que vous n’appuyiez sur le bouton. Il envoie ce que vous avez saisi jusqu’ici au concessionnaire, qui peut vous contacter à ce sujet même si vous ne terminez pas.',
  followedUpIfAgreed:
    'Rien n’est envoyé avant que vous n’appuyiez sur le bouton. Il envoie ce que vous avez saisi jusqu’ici au concessionnaire. Si vous acceptez d’être contacté, il peut vous contacter à ce sujet même si vous ne terminez pas.',
  step: 'Étape {n} sur {m}',
  checkOne: 'Vérifiez une réponse',
  checkMany: 'Vérifiez {n} réponses',
  check: 'À vérifier : {n}',
  addedOne: 'Veuillez répondre à une question de plus',
  addedMany: 'Veuillez répondre à {n} questions de plus',
  appeared: 'Nouvelle question : {n}',
  disappeared: 'Question retirée : {n}',
  row: 'ligne {n}',
  test: 'Ceci est un essai. Ce que vous envoyez est marqué comme essai et n’est pas compté.',
  testEnded: 'Ce lien d’essai a expiré. Ce que vous envoyez maintenant est une vraie demande.',
  about: 'À propos du véhicule',
  closed: '« {n} » est fermé',
  closedText: 'Ce formulaire est fermé.',
  call: 'Appelez le {n}.',
  typed: 'Ce que vous avez écrit',
  allVehicles: 'Voir tous les véhicules',
  back: 'Retour au véhicule',
  backToPage: 'Retour à la page',
  sending: 'Envoi…',
  offline: 'Pas de connexion. Vos réponses restent sur cette page et seront envoyées dès son retour.',
  away: 'Réessayez dans une minute',
  awayText: 'Cette page ne peut pas être affichée pour le moment. Votre connexion fonctionne.',
  siteClosed: 'Ce site n’est pas disponible',
  siteClosedText: 'Le concessionnaire a fermé ce site pour le moment. Merci de l’appeler.',
  full: 'Impossible d’enregistrer pour le moment',
  fullText: 'Nous n’avons plus d’espace. Appelez-nous ou réessayez plus tard.',
  notSent: 'Pas encore envoyé',
  notSentText:
    'Nous n’avons pas pu enregistrer votre envoi. Il est conservé sur cette page : attendez une minute, puis appuyez sur le bouton.',
  filesAgain:
    'Vos fichiers ne sont pas conservés sur cette page. Pour les envoyer, revenez en arrière dans votre navigateur, ajoutez-les à nouveau et envoyez le formulaire.',
  sendAgain: 'Envoyer à nouveau',
  waiting:
    'Nous ne pouvons pas recevoir de formulaires pour le moment. Vos réponses sont conservées sur cette page et seront renvoyées automatiquement.',
  received: 'Reçu',
  receivedText: 'Nous avons bien reçu votre message.',
  busy: 'Veuillez patienter',
  busyText: 'Trop de demandes viennent de votre réseau. Réessayez dans {n}.',
  failed: 'Votre formulaire n’a pas pu être envoyé. Veuillez réessayer.',
  late: 'Cela a pris trop de temps',
  lateText: 'Le formulaire n’est pas arrivé à temps. Veuillez l’envoyer à nouveau.',
  tooLarge: 'Ce fichier est trop volumineux : {n} Mo au maximum.',
}

const GERMAN: Texts = {
  skip: 'Zum Inhalt',
  vehicles: 'Fahrzeuge',
  languages: 'Sprache',
  optional: '(freiwillig)',
  otherAnswer: 'Andere: {n}',
  unknownYet: 'Noch nicht bekannt',
  moreRows: 'Zeilen hinzufügen',
  files: 'Bis zu {n}.',
  filesMost: '{n} Dateien',
  oneFile: 'eine Datei',
  largest: 'Je höchstens {n} MB.',
  keptFiles: 'Hinzugefügte Dateien',
  trap: 'Lassen Sie dieses Feld leer',
  private: 'Bevor Sie die Schaltfläche drücken, wird nichts gesendet.',
  lastStep:
    'Der Händler hat Ihre vorigen Schritte. Von diesem Schritt wird nichts gesendet, bevor Sie die Schaltfläche drücken.',
  send: 'Senden',
  next: 'Weiter',
  savedStep:
    'Bevor Sie die Schaltfläche drücken, wird nichts gesendet. Sie speichert diesen Schritt beim Händler. Ihre Anfrage wird mit dem letzten Schritt gesendet.',
  followedUpStep:
    'Bevor Sie die Schaltfläche drücken, wird nichts gesendet. Sie sendet Ihre bisherigen Angaben an den Händler. Er kann sich deswegen bei Ihnen melden, auch wenn Sie das Formular nicht abschließen.',
  followedUpIfAgreed:
    'Bevor Sie die Schaltfläche drücken, wird nichts gesendet. Sie sendet Ihre bisherigen Angaben an den Händler. Wenn Sie der Kontaktaufnahme zustimmen, kann er sich deswegen bei Ihnen melden, auch wenn Sie das Formular nicht abschließen.',
  step: 'Schritt {n} von {m}',
  checkOne: 'Bitte prüfen Sie eine Antwort',
  checkMany: 'Bitte prüfen Sie {n} Antworten',
  check: 'Bitte prüfen: {n}',
  addedOne: 'Bitte beantworten Sie eine weitere Frage',
  addedMany: 'Bitte beantworten Sie {n} weitere Fragen',
  appeared: 'Neue Frage: {n}',
  disappeared: 'Frage entfällt: {n}',
  row: 'Zeile {n}',
  test: 'Dies ist ein Test. Was Sie senden, wird als Test markiert und nicht gezählt.',
  testEnded: 'Dieser Testlink ist abgelaufen. Was Sie jetzt senden, ist eine echte Anfrage.',
  about: 'Zum Fahrzeug',
  closed: '„{n}“ ist geschlossen',
  closedText: 'Dieses Formular ist geschlossen.',
  call: 'Bitte rufen Sie stattdessen {n} an.',
  typed: 'Was Sie geschrieben haben',
  allVehicles: 'Alle Fahrzeuge ansehen',
  back: 'Zurück zum Fahrzeug',
  backToPage: 'Zurück zur Seite',
  sending: 'Wird gesendet…',
  offline:
    'Keine Verbindung. Ihre Antworten bleiben auf dieser Seite und werden gesendet, sobald sie zurück ist.',
  away: 'Bitte versuchen Sie es in einer Minute noch einmal',
  awayText: 'Diese Seite kann gerade nicht gezeigt werden. Ihre Verbindung ist in Ordnung.',
  siteClosed: 'Diese Website ist nicht verfügbar',
  siteClosedText: 'Das Autohaus hat diese Website vorübergehend geschlossen. Bitte rufen Sie dort an.',
  full: 'Das kann gerade nicht gespeichert werden',
  fullText: 'Bei uns ist kein Speicherplatz mehr frei. Bitte rufen Sie uns an oder versuchen Sie es später.',
  notSent: 'Noch nicht gesendet',
  notSentText:
    'Wir konnten nicht speichern, was Sie gesendet haben. Es bleibt auf dieser Seite: Warten Sie eine Minute und drücken Sie dann die Schaltfläche.',
  filesAgain:
    'Ihre Dateien bleiben nicht auf dieser Seite. Um sie zu senden, gehen Sie im Browser zurück, fügen Sie sie noch einmal hinzu und senden Sie das Formular.',
  sendAgain: 'Noch einmal senden',
  waiting:
    'Wir können gerade keine Formulare annehmen. Ihre Antworten bleiben auf dieser Seite und werden von selbst noch einmal gesendet.',
  received: 'Erhalten',
  receivedText: 'Wir haben Ihre Nachricht erhalten.',
  busy: 'Bitte warten Sie',
  busyText: 'Aus Ihrem Netz kamen zu viele Anfragen. Versuchen Sie es in {n} noch einmal.',
  failed: 'Ihr Formular konnte nicht gesendet werden. Bitte versuchen Sie es noch einmal.',
  late: 'Das hat zu lange gedauert',
  lateText: 'Das Formular kam nicht rechtzeitig an. Bitte senden Sie es noch einmal.',
  tooLarge: 'Diese Datei ist zu groß: höchstens {n} MB.',
}

/** The languages that pages have texts in, the usual one first. */
export const PAGE_LANGUAGES = ['en', 'es', 'fr', 'de'] as const

/** A number of seconds in words, rounded up: "5 minutes". */
export function waitInWords(language: string, seconds: number): string {
  const [value, unit] = seconds <= 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value)
}

/** A text of a page; the values replace `{n}` and `{m}`. */
export type PageText = (key: Key, n?: string | number, m?: string | number) => string

const TEXTS = new Map<string | undefined, Texts>([
  ['es', SPANISH],
  ['fr', FRENCH],
  ['de', GERMAN],
])

/** The texts of pages in a language (`es`, `es-MX`), otherwise in English. */
export function pageTexts(language: string): PageText {
  const texts = TEXTS.get(language.split('-')[0]) ?? ENGLISH
  return (key, n = '', m = '') => texts[key].replace('{n}', () => String(n)).replace('{m}', () => String(m))
}
