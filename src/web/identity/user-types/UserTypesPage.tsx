import { getRouteApi } from '@tanstack/react-router'
import { TypeList } from './TypeList.tsx'
import { TypePage } from './TypePage.tsx'
import './user-types.css'

const route = getRouteApi('/shell/administration/user-types')

/** The user types as a list; with one in the address, what that one grants. */
export function UserTypesPage() {
  const { type } = route.useSearch()
  return type === undefined ? <TypeList /> : <TypePage id={type} />
}
