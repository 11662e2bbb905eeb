import type { LabelKind } from './label-kinds.ts'

/** Labels of forms in Spanish, French and German, without accents. What two kinds of forms use differently is left out. */
const LABELS: readonly (readonly [LabelKind, string])[] = [
  [
    'name',
    'nombre|nombre completo|nombre y apellidos?|nom complet|nom et prenom|prenom et nom|vollstandiger name|vor und nachname|kunde|kundin|cliente|client|interessent(?:in)?|absender(?:in)?|anfragende[rn]?|interesad[oa]|remitente|solicitante|expediteur',
  ],
  ['firstName', 'prenom|vorname|primer nombre|nombres'],
  ['lastName', 'apellidos?|nom|nom de famille|nachname|familienname'],
  ['company', 'empresa|entreprise|societe|firma|unternehmen'],
  [
    'email',
    'correo|correo electronico|(?:direccion|cuenta) de correo(?: electronico)?|courriel|(?:e ?)?mail|adresse (?:courriel|e ?mail|electronique|de courriel)|(?:e ?)?mail ?adresse',
  ],
  [
    'phone',
    'telefono|(?:numero de )?(?:telefono|celular|movil)(?: (?:movil|celular))?|(?:numero de )?telephone(?: (?:portable|mobile|cellulaire))?|(?:tel )?portable|cellulaire|telefon(?:nummer)?|handy(?:nummer)?|mobilnummer|mobiltelefon|rufnummer|telefono de contacto',
  ],
  ['street', 'direccion|calle|domicilio|adresse|adresse postale|rue|strasse|straße|anschrift'],
  ['city', 'ciudad|ville|stadt|ort|wohnort'],
  ['region', 'provincia|bundesland'],
  ['postalCode', 'codigo postal|code postal|postleitzahl|plz'],
  ['country', 'pais|pays|land'],
  [
    'contactMethod',
    '(?:metodo|forma|medio) de contacto(?: preferid[oa])?|contacto preferido|(?:moyen|mode|methode) de contact(?: prefere)?|(?:bevorzugte )?kontaktart|kontakt per',
  ],
  [
    'contactTime',
    'mejor (?:hora|momento)(?: para (?:llamar|contactar))?|horario(?: de contacto| preferido)?|heure de contact|meilleur moment(?: pour appeler)?|beste (?:zeit|anrufzeit)|erreichbarkeit',
  ],
  [
    'comments',
    'message|questions?|mensaje|comentarios?|consulta|preguntas?|observaciones|commentaires?|remarques?|nachricht|kommentare?|bemerkung(?:en)?|anfrage|fragen?|mitteilung|votre question|ihre fragen?',
  ],
  [
    'timeframe',
    'cuando (?:piensa|desea|quiere) comprar|plazo de compra|delai d achat|date d achat prevue|kaufzeitpunkt',
  ],
  [
    'vehicle',
    '(?:vehiculo|auto|coche|carro)(?: de interes| deseado)?|(?:vehicule|voiture)(?: souhaitee?| d interet| desiree?)?|fahrzeug|wunschfahrzeug|fahrzeug von interesse',
  ],
  [
    'tradeIn',
    `(?:vehiculo|auto|coche|carro) (?:(?:a|de|para) (?:cambio|cuenta|intercambio)|(?:en|como) parte de pago|actual)|vehicule (?:de reprise|a (?:reprendre|echanger)|d echange|actuel)|reprise|(?:vehicule d )?echange|(?:a )?(?:cambio|cuenta)|parte de pago|inzahlungnahme|fahrzeug (?:in|zur) inzahlungnahme|(?:gebrauchtwagen |fahrzeug )?(?:in|zur) zahlung|altfahrzeug|altwagen|(?:su|tu|mi|votre|mon|ihr|mein) (?:vehiculo|auto|coche|carro|vehicule|voiture|fahrzeug|auto|wagen)`,
  ],
  ['year', 'ano|annee|baujahr|ano (?:del )?modelo|annee modele|modelljahr'],
  ['make', 'marca|marque|marke|hersteller'],
  ['model', 'modelo|modele|modell'],
  ['vin', 'numero de (?:chasis|bastidor)|fahrgestellnummer|fin|niv|numero d identification(?: du vehicule)?'],
  ['stock', '(?:numero|no|n) (?:de inventario|de stock|d inventaire)|lagernummer|bestandsnummer'],
  ['mileage', 'kilometraje|millaje|kilometrage|kilometerstand|laufleistung'],
  ['color', 'couleur|farbe'],
  ['dealer', 'concesionari[oa]|concessionnaire|autohaus|handler'],
]

const PATTERNS = LABELS.map(([kind, labels]) => [kind, new RegExp(`^(?:${labels})$`)] as const)
const OWNERS =
  /^(?:(?:su|tu|mi|sus|votre|vos|mon|ma|ihre?|meine?|el|la|le|l|de|del|du|der|die|das) )+(?=\S{3})/

/** What a label in Spanish, French or German means; null if it isn't known. `words`: in lower case with single spaces. */
export function foreignLabel(words: string): LabelKind | null {
  const plain = words.normalize('NFD').replaceAll(/\p{M}/gu, '')
  const found = [plain, plain.replace(OWNERS, '')].flatMap((text) =>
    PATTERNS.flatMap(([kind, is]) => (is.test(text) ? [kind] : [])),
  )
  return found[0] ?? null
}

/** "Telefono", "courriel": the same as the English words in an answer to "Preferred contact". */
export const FOREIGN_METHODS = {
  email: /correo|courriel|mail/i,
  text: /mensaje de texto|texto|textnachricht/i,
  call: /tel[eé]fono|llamada|t[eé]l[eé]phone|appel|telefon|anruf/i,
} as const
