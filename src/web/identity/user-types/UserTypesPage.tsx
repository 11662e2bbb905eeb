import { getRouteApi } from '@tanstack/react-router'
import { TypeList } from './TypeList.tsx'
import { TypePage } from './TypePage.tsx'
import './user-types.css'

const route = getRouteApi('/shell/administration/user-types')

/** The list of user types; with a type in the URL, the permissions of that type. */
export function UserTypesPage() {
  const { type } = route.useSearch()
  return type === undefined ? <TypeList /> : <TypePage id={type} />
}
