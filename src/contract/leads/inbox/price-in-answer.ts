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
