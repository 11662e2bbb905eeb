/** What can be unusual about an ADF document, with the sentence for users. `{}` is the value that was sent. */
const SENTENCES = {
  noAdfInstruction: 'The document does not say which version of ADF it uses.',
  lateDeclaration: 'The XML declaration is not the first thing in the document.',
  documentTypeIgnored: 'The document type (DOCTYPE) was ignored.',
  encodingGuessed: 'The text is not valid UTF-8. It was read as Windows-1252.',
  encodingWrong: 'The document says it is encoded as "{}", but it is not.',
  bareAmpersand: 'The document contains an "&" that is not escaped.',
  unknownEntity: 'The entity "{}" is unknown. It was left as it is.',
  unquotedAttribute: 'The document contains an attribute value without quotes.',
  wrapped: 'The lead is inside an element named "{}".',
  textAround: 'The document has text before or after the lead. It is shown under More from the source.',
  documentRefused: 'Another document of the email was not read: {}',
  tooManyProspects:
    'The document has more leads than can be read at once. The rest is only in the original text.',
  tooManyEntries: 'The lead has more {} than can be read. The rest is only in the original text.',
  textCut: 'The text of "{}" is too long. The rest is only in the original text.',
  repeatedElement:
    '"{}" appears more than once. The first one was used, and the others are shown under More from the source.',
  misplacedElement: '"{}" is in an unusual place.',
  unknownElement: 'ADF does not have the element "{}". It is shown under More from the source.',
  unknownAttribute: 'ADF does not have the attribute {}. It is shown under More from the source.',
  unknownValue: 'ADF does not have the value {}.',
  statusElement: 'The status is an element instead of an attribute.',
  stockNumberElement: 'The stock number is in the element "stocknumber" instead of "stock".',
  idEmpty: 'The lead has an ID without a value.',
  requestDateMissing: 'The lead has no request date. The time of receipt is used.',
  requestDateUnreadable:
    'The request date "{}" is not a complete date and time. The time of receipt is used.',
  requestDateNoZone: 'The request date "{}" has no time zone. The time of receipt is used.',
  timeframeUnreadable: 'The date "{}" in the timeframe is not in the ISO format.',
  placeholder: '{} says that it is not known.',
  inComment: 'The lead was inside an XML comment.',
  quoted: 'The document was quoted with ">" before each line.',
  noVehicle: 'The lead has no vehicle of interest.',
  vinInvalid: 'The VIN "{}" is not valid.',
  vinCheckDigit: 'The check digit of the VIN "{}" is wrong.',
  numberInvalid: '{} is not a number.',
  nameMissing: 'The customer has no name.',
  noEmail: 'The customer has no email address.',
  emailInvalid: '"{}" is not a valid email address. Emails are not sent to it.',
  phoneType: 'The phone type "{}" is not an ADF value.',
  notContactable: 'The customer has neither an email address nor a phone number.',
  noVendor: 'The lead does not say which dealer it is for.',
  vendorUrlInvalid: 'The dealer\'s web address "{}" is not a URL.',
  providerUrlInvalid: 'The provider\'s web address "{}" is not a URL.',
  providerContactFields: "The provider's email address or phone number is outside its contact.",
} as const

export type AdfWarningCode = keyof typeof SENTENCES
const isCode = (name: string): name is AdfWarningCode => Object.hasOwn(SENTENCES, name)
export const ADF_WARNING_CODES: readonly AdfWarningCode[] = Object.keys(SENTENCES).filter(isCode)

/** What is unusual about a document. The sentence is complete; the code never changes. */
export type AdfWarning = { code: AdfWarningCode; message: string }

/** A warning with its sentence. `value` is cut to 100 characters. */
export function adfWarning(code: AdfWarningCode, value = ''): AdfWarning {
  const shown = value.length > 100 ? `${value.slice(0, 99)}…` : value
  return { code, message: SENTENCES[code].replace('{}', () => shown) }
}
