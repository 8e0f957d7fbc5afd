-- leaving/download.sql · All data of an account, as its human downloads it. Rules 19.2.

grant execute on function engine.account_lists to hill_api_human;
