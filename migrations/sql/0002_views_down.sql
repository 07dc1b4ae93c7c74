DROP TABLE standing, incidents, network_bans, network_exemptions, network_ban_list, networks_seen, staff, tokens, policies
