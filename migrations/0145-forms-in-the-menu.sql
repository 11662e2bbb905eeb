-- A form whose page visitors find in the menu of the public site, and beside the price of a vehicle.
alter table forms add column is_in_menu boolean not null default false;
