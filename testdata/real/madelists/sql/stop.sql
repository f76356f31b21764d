UPDATE valves SET running = false, fence = $2 WHERE id = $1 AND (fence < $2 OR running)
