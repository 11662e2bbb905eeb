import { writeLeaf } from '#contract/expressions/leaf.ts'

/** The filter of the deliveries to one destination, by the name they were sent under. */
export const deliveriesOf = (name: string): { filter: string } => ({
  filter: writeLeaf({ field: 'destinationName', operator: '==', value: name }, 'text'),
})
