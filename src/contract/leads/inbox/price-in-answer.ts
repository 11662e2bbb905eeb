/**
 * The price of a vehicle as an answer to a buyer states it: the total price by the price law of its lot, with the sentence that
 * belongs beside it, and no other amount. Written for buyers in the United States, whatever the language of the user.
 * @param totalCents in integer cents.
 */
export function priceInAnswer({
  title,
  totalCents,
  currency,
  sentence,
}: {
  title: string
  totalCents: number
  currency: string
  sentence: string | null
}): string {
  const price = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  }).format(totalCents / 100)
  const stated = `The total price of the ${title} is ${price}.`
  return sentence === null ? stated : `${stated} ${sentence}`
}

/**
 * An answer with the customer's texts for this price at its end, each as a paragraph. Those that it has already, however they are
 * broken into lines, are not repeated: they come once, however often the price is inserted.
 */
export function withDisclaimers(text: string, disclaimers: readonly string[]): string {
  const has = plain(text)
  const missing = disclaimers.filter((one) => !has.includes(plain(one)))
  return missing.length === 0 ? text : [text.trimEnd(), ...missing].join('\n\n')
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
