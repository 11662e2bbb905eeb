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
  send: 'Send',
  sendOn: 'Send and continue',
  step: 'Step {n} of {m}',
  checkOne: 'Please check one answer',
  checkMany: 'Please check {n} answers',
  check: 'Please check: {n}',
  row: 'row {n}',
  test: "This is a test. What you send is marked as a test and isn't counted.",
  about: 'About the',
  closed: '"{n}" is closed',
  closedText: 'This form is closed.',
  call: 'Please call {n} instead.',
  typed: 'What you typed',
  allVehicles: 'See all vehicles',
  back: 'Back to the vehicle',
  sending: 'Sending…',
  offline: 'No connection. Your answers are kept on this page and will be sent when the connection is back.',
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
  send: 'Enviar',
  sendOn: 'Enviar y continuar',
  step: 'Paso {n} de {m}',
  checkOne: 'Revise una respuesta',
  checkMany: 'Revise {n} respuestas',
  check: 'Revise: {n}',
  row: 'fila {n}',
  test: 'Esto es una prueba. Lo que envíe se marca como prueba y no se cuenta.',
  about: 'Sobre el vehículo',
  closed: '"{n}" está cerrado',
  closedText: 'Este formulario está cerrado.',
  call: 'Llame al {n}.',
  typed: 'Lo que escribió',
  allVehicles: 'Ver todos los vehículos',
  back: 'Volver al vehículo',
  sending: 'Enviando…',
  offline:
    'Sin conexión. Sus respuestas se conservan en esta página y se enviarán en cuanto vuelva la conexión.',
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
  send: 'Envoyer',
  sendOn: 'Envoyer et continuer',
  step: 'Étape {n} sur {m}',
  checkOne: 'Vérifiez une réponse',
  checkMany: 'Vérifiez {n} réponses',
  check: 'À vérifier : {n}',
  row: 'ligne {n}',
  test: 'Ceci est un essai. Ce que vous envoyez est marqué comme essai et n’est pas compté.',
  about: 'À propos du véhicule',
  closed: '« {n} » est fermé',
  closedText: 'Ce formulaire est fermé.',
  call: 'Appelez le {n}.',
  typed: 'Ce que vous avez écrit',
  allVehicles: 'Voir tous les véhicules',
  back: 'Retour au véhicule',
  sending: 'Envoi…',
  offline: 'Pas de connexion. Vos réponses restent sur cette page et seront envoyées dès son retour.',
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
  send: 'Senden',
  sendOn: 'Senden und weiter',
  step: 'Schritt {n} von {m}',
  checkOne: 'Bitte prüfen Sie eine Antwort',
  checkMany: 'Bitte prüfen Sie {n} Antworten',
  check: 'Bitte prüfen: {n}',
  row: 'Zeile {n}',
  test: 'Dies ist ein Test. Was Sie senden, wird als Test markiert und nicht gezählt.',
  about: 'Zum Fahrzeug',
  closed: '„{n}“ ist geschlossen',
  closedText: 'Dieses Formular ist geschlossen.',
  call: 'Bitte rufen Sie stattdessen {n} an.',
  typed: 'Was Sie geschrieben haben',
  allVehicles: 'Alle Fahrzeuge ansehen',
  back: 'Zurück zum Fahrzeug',
  sending: 'Wird gesendet…',
  offline:
    'Keine Verbindung. Ihre Antworten bleiben auf dieser Seite und werden gesendet, sobald sie zurück ist.',
  tooLarge: 'Diese Datei ist zu groß: höchstens {n} MB.',
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
