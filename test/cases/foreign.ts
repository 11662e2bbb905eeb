export const foreignTo = (status: number) => ({ 'sister organization': status, 'other customer': status })

export const list = {
  input: () => ({ search: 'a', sort: '-name', page: 1, pageSize: 20 }),
  foreign: 'takes no ids',
} as const

/** User types belong to the whole customer, and every user in it can read them. */
export const customerWide = { 'sister organization': 'reached', 'other customer': 404 } as const
