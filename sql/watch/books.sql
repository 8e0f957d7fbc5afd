-- watch/books.sql · Looks between bells whether the books balance. Decisions 118.

grant execute on function engine.check_balances, engine.wallet_lines to hill_api_worker;
