/** Who buys together with the buyer. */
const BESIDE = [
  String.raw`co (?:buyer|applicant|borrower|signer|owner|purchaser|client|customer)`,
  String.raw`cobuyer|coapplicant|cosigner|coborrower|cosolicitante|(?:co )?(?:emprunteur|acheteur|solicitante|comprador)`,
  String.raw`joint (?:applicant|buyer|owner|borrower|purchaser)`,
  String.raw`(?:second|secondary|2nd|additional|other) (?:buyer|applicant|owner|driver|borrower|contact)`,
  String.raw`(?:buyer|applicant|borrower) (?:2|two|b)`,
  String.raw`spouse|partner|husband|wife|conyuge|espos[oa]|conjointe?|ehepartner(?:in)?`,
  String.raw`mitantragsteller(?:in)?|mitkaufer(?:in)?|zweiter (?:kaufer|antragsteller)`,
  String.raw`(?:emergency|alternate) contact|references?|referr(?:al|ed by|er)`,
].join('|')

/** Who works at the store or the portal. The whole heading, or the end of it: "Contact your account manager". */
const STAFF = [
  String.raw`sales ?(?:person|people|man|woman|rep|reps|representatives?|consultants?|agents?|advis[oe]rs?|associates?|contact|managers?|team|staff)`,
  String.raw`(?:account|bdc|internet|finance|store|lead|general|product|client success|dealer) (?:managers?|representatives?|reps?|specialists?|advis[oe]rs?)`,
  String.raw`(?:dealer(?:ship)?|store|vendor|portal|support|seller) contacts?|(?:customer )?(?:support|service) (?:team|contact)`,
  String.raw`(?:your|our|assigned) (?:rep|representative|advis[oe]r|consultant|agent|team|contact person)`,
  String.raw`verkaufer(?:in)?|ansprechpartner(?:in)?|(?:kunden|verkaufs)berater(?:in)?|zustandig`,
  String.raw`vendedora?|asesora?(?: de ventas)?|agente de ventas|conseill(?:er|ere)(?: (?:commercial|en ventes?))?|vendeu(?:r|se)`,
].join('|')

const IS_BESIDE = new RegExp(`^(?:(?:the|your) )?(?:${BESIDE})(?: s)?$`)
const IS_STAFF = new RegExp(
  `^(?:assigned(?: to| user| agent| dealer)?|owner|handled by|asignado a|assigne a|zugewiesen an)$|(?:^| )(?:${STAFF})$`,
)

/** Whether a heading is about someone who isn't the buyer. `words`: in lower case with single spaces. */
export function isOtherPerson(words: string): boolean {
  const plain = words.normalize('NFD').replaceAll(/\p{M}/gu, '')
  return IS_BESIDE.test(plain) || (plain.split(' ').length <= 7 && IS_STAFF.test(plain))
}
